// Commands as words of a shell.

import type { Command } from "commander";

/** Without the name of the program: "payouts list". */
export function nameOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${nameOf(parent)} ${command.name()}` : command.name();
}

export function shellWord(text: string): string {
  return /^[\w./:@,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
