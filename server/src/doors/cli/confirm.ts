// Asks at the terminal before a command does something that can't be undone.

import { createInterface } from "node:readline";
import { stderr } from "./terminal.ts";

/** False in scripts and pipes. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && stderr.isTTY === true;
}

type Terminal = { input: NodeJS.ReadableStream; output: { write(text: string): unknown } };

type ConfirmOptions = Partial<Terminal> & {
  /** What must be typed. */
  words?: string;
};

/** True only for the whole text. The end of the input, or an interruption, means no. */
export async function isAgreed(
  question: string,
  interrupted: AbortSignal,
  { input = process.stdin, output = process.stderr, words = "yes" }: ConfirmOptions = {},
): Promise<boolean> {
  output.write(`${question} Type ${words}: `);
  // Without `terminal`, Ctrl-C stays a signal to the process.
  const lines = createInterface({ input, signal: interrupted, terminal: false });
  try {
    for await (const line of lines) return line.trim().toLowerCase() === words;
    output.write("\n");
    return false;
  } finally {
    lines.close();
  }
}
