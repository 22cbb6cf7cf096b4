// Ctrl-C and its like, for a command that finishes what is under way before it ends.

import { exitCodes } from "../app/cli-error.ts";
import { limits } from "../limits.ts";

/** The signal of `work` is aborted by the first interruption. A later one means now. */
export async function interruptible<T>(work: (interrupted: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let sinceMs = 0;
  const interrupt = () => {
    // One right after the first is its echo: at a terminal, Ctrl-C reaches us directly and through npm.
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
