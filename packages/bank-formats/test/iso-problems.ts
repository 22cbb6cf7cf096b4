// What checking an ISO 20022 message says, one line for each problem.

import { checkBankFile } from "../src/check.ts";

export function checkMessage(file: string) {
  return checkBankFile(new TextEncoder().encode(file));
}

/** "error 3:5 message", in the order of the file. */
export function problemsIn(file: string): string[] {
  return checkMessage(file).problems.map(
    ({ severity, line, column, message }) => `${severity} ${line}:${column} ${message}`,
  );
}

/** The file with one part changed. The part has to be there. */
export function change(file: string, part: string | RegExp, replacement: string): string {
  const changed = file.replace(part, replacement);
  if (changed === file) throw new Error(`the file has no ${part}`);
  return changed;
}
