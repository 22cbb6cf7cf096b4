// Runs a program to its end.

import { spawnSync } from "node:child_process";

export type CommandOptions = {
  env?: NodeJS.ProcessEnv | undefined;
  cwd?: string | undefined;
  timeoutMs?: number;
};

export type Ended = { status: number | null; stdout: string; all: string };

export function attempt(
  program: string,
  words: readonly string[],
  { timeoutMs = 900_000, ...options }: CommandOptions = {},
): Ended {
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    ...options,
    timeout: timeoutMs,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return { status, stdout, all: `${stdout}${stderr}${error ?? ""}`.trim() };
}

/** Returns what the program prints. If it fails, throws an error with all of its output. */
export function command(
  program: string,
  words: readonly string[],
  options: CommandOptions = {},
): string {
  const { status, stdout, all } = attempt(program, words, options);
  if (status !== 0) throw new Error(`${program} ${words.join(" ")} ended with ${status}\n${all}`);
  return stdout.trim();
}
