// Handles Ctrl-C and signals for a command that finishes its current work before it ends.

import { limits } from "../../platform/limits/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { type RemoteRun, remoteRun } from "./terminal.ts";

/** For work that is given up: its error after an interruption is the interruption. */
export async function interruptibleWhole<T>(
  work: (interrupted: AbortSignal) => Promise<T>,
): Promise<T> {
  return interruptible(async (interrupted) => {
    try {
      return await work(interrupted);
    } catch (error) {
      if (!interrupted.aborted) throw error;
      throw new CliError("Interrupted. Nothing was kept.", exitCodes.interrupted);
    }
  });
}

/** The first interruption aborts the signal that `work` gets. A second one ends the process at once. */
export async function interruptible<T>(work: (interrupted: AbortSignal) => Promise<T>): Promise<T> {
  const run = remoteRun();
  if (run) return untilDrained(run, work);
  const controller = new AbortController();
  let sinceMs = 0;
  const interrupt = () => {
    // At a terminal, one Ctrl-C arrives twice: directly and through npm.
    if (!controller.signal.aborted) sinceMs = performance.now();
    else if (performance.now() - sinceMs > limits.signalEchoMs) process.exit(exitCodes.interrupted);
    controller.abort();
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, interrupt);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of signals) process.off(signal, interrupt);
  }
}

const drainPollMs = 200;

/** Over HTTP the work ends early when the process does. */
async function untilDrained<T>(
  { isDraining }: RemoteRun,
  work: (interrupted: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const poll = setInterval(() => {
    if (isDraining()) controller.abort();
  }, drainPollMs);
  try {
    return await work(controller.signal);
  } finally {
    clearInterval(poll);
  }
}
