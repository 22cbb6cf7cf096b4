// Reads the statements among the bank files of a folder into lines, and looks for what no line may lack.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeBankFile } from "../packages/bank-formats/src/check.ts";
import { readStatement, recognisesStatement } from "../packages/bank-formats/src/statement.ts";

export type StatementRow = {
  file: string;
  statements: number;
  lines: number;
  /** Statements that have an opening and a closing balance. */
  balanced: number;
  /** Of these, the ones in which the lines lead from one to the other. */
  closing: number;
  problems: string[];
};

/** Undefined for other files. */
export function tryStatement(folder: string, file: string): StatementRow | undefined {
  const text = decodeBankFile(readFileSync(join(folder, file)));
  if (text === undefined || !recognisesStatement(text)) return undefined;
  const row: StatementRow = {
    file,
    statements: 0,
    lines: 0,
    balanced: 0,
    closing: 0,
    problems: [],
  };
  let keys = new Set<string>();
  let sums = new Map<string, bigint>();
  for (const record of readStatement(text)) {
    if (record.kind === "line") {
      const { day, amount, currency, entryKey, entryLine } = record;
      const key = `${entryKey} ${entryLine}`;
      if (keys.has(key)) row.problems.push(`line ${record.place.line} has the key of another`);
      if (day === "") row.problems.push(`line ${record.place.line} has no day`);
      keys.add(key);
      sums.set(currency, (sums.get(currency) ?? 0n) + amount);
      row.lines += 1;
      continue;
    }
    const { opening, closing, currency } = record;
    row.statements += 1;
    if (opening !== undefined && closing !== undefined) {
      row.balanced += 1;
      if (opening + (sums.get(currency) ?? 0n) === closing) row.closing += 1;
    }
    keys = new Set();
    sums = new Map();
  }
  return row;
}

export function statementTable(rows: readonly StatementRow[]): string {
  const lines = rows.map(
    ({ file, statements, lines, balanced, closing, problems }) =>
      `| ${file} | ${statements} | ${lines} | ${balanced} | ${closing} | ${problems.join("; ")} |`,
  );
  return `| file with statements | statements | lines | with both balances | that add up | problems |
|---|---|---|---|---|---|
${lines.join("\n")}
`;
}
