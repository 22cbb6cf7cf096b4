// Runs a program on a terminal of a given width, with the `script` of util-linux.

import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { missingCommands } from "./missing-commands.ts";

export const noPseudoTerminal =
  process.platform === "linux" ? missingCommands("script") : "this machine has no util-linux";

type Place = { columns: number; cwd?: string; env: NodeJS.ProcessEnv };

/** What the program prints, with the line ends of a file. */
export async function onTerminal(
  words: readonly string[],
  { columns, cwd, env }: Place,
): Promise<string> {
  const quoted = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const child = spawn("script", ["-qec", `stty cols ${columns}; ${quoted}`, "/dev/null"], {
    ...{ cwd, env: { TERM: "xterm", ...env } },
    stdio: ["ignore", "pipe", "inherit"],
  });
  return (await text(child.stdout)).replaceAll("\r\n", "\n");
}
