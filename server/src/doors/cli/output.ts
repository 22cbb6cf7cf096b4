// Output of commands: data on stdout, as JSON or as lines for a person; everything else on stderr.

import type { Terminal } from "../../../../packages/command-line/src/index.ts";
import type { ListPage } from "../../platform/db/index.ts";
import { headingOf, recordOf, tableOf } from "./table.ts";
import { stderr, stdout, terminal, withoutHiddenNames } from "./terminal.ts";

type Value = string | number | boolean | null | undefined | Date | readonly unknown[] | object;
export type Shown = Record<string, Value>;

export function print(data: Shown | Shown[], { json }: { json?: boolean | undefined }): void {
  if (json) stdout.write(`${JSON.stringify(data, null, 2)}\n`);
  else {
    const text = Array.isArray(data) ? table(data, terminal()) : lines(data, terminal());
    stdout.write(`${text}\n`);
  }
}

/** Prints a page of a list, and where the next one begins. */
export function printPage<Row extends Shown>(
  name: string,
  { rows, next }: ListPage<Row>,
  options: { json?: boolean | undefined },
  inShort: (row: Row) => Shown,
): void {
  if (options.json) print({ [name]: rows, next_cursor: next }, options);
  else {
    print(rows.map(inShort), options);
    if (next) stderr.write(`There are more: --cursor ${next}\n`);
  }
}

/** Prints a table under a heading. */
export function printSection(title: string, records: Shown[]): void {
  stdout.write(`\n${headingOf(title, terminal())}\n${table(records, terminal())}\n`);
}

/** ISO 8601, from milliseconds since the Unix epoch. */
export function time(ms: string): string {
  return new Date(Number(ms)).toISOString();
}

function lines(record: Shown, on: Terminal | undefined): string {
  const values = Object.entries(record).map(([name, value]) => [name, cell(value, on)] as const);
  return recordOf(values, on);
}

/** Without a terminal it is as wide as its texts. */
export function table(records: Shown[], on?: Terminal): string {
  const [first] = records;
  if (!first) return "none";
  const names = Object.keys(first);
  const rows = records.map((record) => names.map((name) => cell(record[name], on)));
  return tableOf(names, rows, on);
}

/** The names that the user may not see are replaced before a text is cut: part of one would not be found afterwards. */
function cell(value: Value, on: Terminal | undefined): string {
  return on ? withoutHiddenNames(shown(value)) : shown(value);
}

function shown(value: Value): string {
  if (value === null || value === undefined || value === "") return "-";
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(shown).join(",") || "-";
  if (typeof value === "object") return JSON.stringify(value);
  return oneLine(String(value));
}

/** Replaces control characters: text from outside must not break the line or control the terminal. */
export function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, " ");
}
