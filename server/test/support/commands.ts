// Runs `disburse …` commands one after the other in one process, because starting a process takes most of a second.
// Tests of how a process ends use process.ts.

import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import type { Environment, Run } from "./process.ts";

export type Asked = { words: string[]; environment: Environment };

let runner: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/** Runs a command to its end. */
export function command(words: string[], environment: Environment = {}): Promise<Run> {
  const { PATH, HOME } = process.env;
  const answer = last.then(() => ask({ words, environment: { PATH, HOME, ...environment } }));
  last = answer.catch(() => {});
  return answer;
}

function ask(asked: Asked): Promise<Run> {
  runner ??= start();
  const { promise, resolve, reject } = Promise.withResolvers<Run>();
  const ended = () => reject(new Error(`a command ended the process: ${asked.words.join(" ")}`));
  runner.once("message", resolve).once("exit", ended).send(asked);
  return promise.finally(() => runner?.off("message", resolve).off("exit", ended));
}

function start(): ChildProcess {
  const child = fork(join(import.meta.dirname, "command-runner.ts"), { execArgv: [] });
  child.once("exit", () => {
    runner = undefined;
  });
  // It ends with its parent, and must not keep the parent alive.
  child.unref();
  child.channel?.unref();
  return child;
}
