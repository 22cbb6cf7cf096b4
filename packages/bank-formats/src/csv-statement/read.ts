// Reads a bank's CSV file by its mapping: the lines oldest first, and a statement for each account and currency.

import { addTo, FileProblems, type FileReport, type Sums } from "../report.ts";
import {
  emptyStatementLine,
  type StatementEnd,
  type StatementLine,
  type StatementRecord,
} from "../statement-records.ts";
import { StatementSums } from "../statement-sums.ts";
import { checkBalances } from "./balances.ts";
import type { CsvMapping } from "./mapping.ts";
import { type CsvLine, readCsvRow } from "./rows.ts";
import { type CsvTable, findColumns, readCsvTable } from "./table.ts";

export function* readCsvStatement(
  text: string,
  mapping: CsvMapping,
): Generator<StatementRecord, FileReport, void> {
  const problems = new FileProblems();
  const totals = new Map<string, Sums>();
  const lines = readLines(text, mapping, problems);
  let count = 0;
  for (const group of groupsOf(lines).values()) {
    const sums = new StatementSums();
    for (const csvLine of group) {
      const line = toLine(csvLine, sums);
      if (!line) continue;
      const { amount, currency } = line;
      const direction = amount < 0n ? "debit" : "credit";
      addTo(totals, currency, direction, amount < 0n ? -amount : amount);
      count += 1;
      sums.add(line);
      yield line;
    }
    yield toEnd(group, sums, checkBalances(group, mapping, problems));
  }
  problems.all.sort((one, other) => one.line - other.line || one.column - other.column);
  return { format: "csv", problems: problems.all, count, totals };
}

/** Oldest first, whatever the order of the file. */
function readLines(text: string, mapping: CsvMapping, problems: FileProblems): CsvLine[] {
  const table = readCsvTable(text, mapping, problems);
  const indexOf = findColumns(mapping, table, problems);
  if (!indexOf) return [];
  const width = widthOf(table);
  const lines = table.rows.flatMap(
    (row) => readCsvRow(row, mapping, { indexOf, width }, problems) ?? [],
  );
  if (mapping.order === "newest_first") lines.reverse();
  checkOrder(lines, mapping, problems);
  return lines;
}

function widthOf({ header, rows }: CsvTable): number {
  const cells = (header ?? rows[0])?.cells ?? [];
  // Many banks end each row with a delimiter.
  return header ? cells.findLastIndex((cell) => cell !== "") + 1 : cells.length;
}

/** A warning: within a few days banks sort by other dates. */
function checkOrder(
  lines: readonly CsvLine[],
  { order }: CsvMapping,
  problems: FileProblems,
): void {
  const [first, last] = [lines[0], lines.at(-1)];
  if (!first || !last || first.day <= last.day) return;
  const name = order === "newest_first" ? "newest first" : "oldest first";
  const line = Math.min(first.line, last.line);
  problems.warning(line, 1, `the rows should be ${name}, as the mapping says, but are not`);
}

function groupsOf(lines: readonly CsvLine[]): Map<string, CsvLine[]> {
  const groups = new Map<string, CsvLine[]>();
  for (const line of lines) {
    const key = JSON.stringify([line.account, line.currency]);
    const group = groups.get(key);
    if (group) group.push(line);
    else groups.set(key, [line]);
  }
  return groups;
}

/** Undefined for a row that moves no money. */
function toLine(csvLine: CsvLine, sums: StatementSums): StatementLine | undefined {
  const { line, amount, balance: _, reference, ...facts } = csvLine;
  if (amount === undefined || amount === 0n) return undefined;
  const { day, currency, bankReference, partyName, text, code } = facts;
  const content = [code, bankReference, reference, partyName, text];
  return {
    ...emptyStatementLine,
    ...facts,
    place: { line, column: 1 },
    amount,
    customerReference: reference,
    entryReference: bankReference,
    // Banks call many things a reference in CSV files, so it never stands alone.
    entryKey: sums.keyOf({ day, amount, currency, isReversal: false }, "", content),
  };
}

function toEnd(
  group: readonly CsvLine[],
  sums: StatementSums,
  balances: Pick<StatementEnd, "opening" | "closing">,
): StatementEnd {
  const { account = "", currency = "" } = group[0] ?? {};
  const days = group.map(({ day }) => day);
  const place = { line: Math.min(group[0]?.line ?? 0, group.at(-1)?.line ?? 0), column: 1 };
  return {
    kind: "statement",
    place,
    form: "statement",
    account,
    currency,
    bankId: "",
    sequence: "",
    fromDay: days.reduce((one, other) => (other < one ? other : one)),
    toDay: days.reduce((one, other) => (other > one ? other : one)),
    ...balances,
    lines: sums.lines,
  };
}
