// What a statement file says, read whole.

import { readStatement } from "../src/statement.ts";
import type { StatementEnd, StatementLine } from "../src/statement-records.ts";

export function readWhole(file: string): {
  lines: StatementLine[];
  ends: StatementEnd[];
  errors: string[];
} {
  const lines: StatementLine[] = [];
  const ends: StatementEnd[] = [];
  const records = readStatement(file);
  for (;;) {
    const { done, value } = records.next();
    if (done) {
      const errors = value.problems.filter(({ severity }) => severity === "error");
      return { lines, ends, errors: errors.map(({ message }) => message) };
    }
    if (value.kind === "line") lines.push(value);
    else ends.push(value);
  }
}
