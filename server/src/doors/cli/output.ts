// Output of commands: data on stdout, as JSON or as lines for a person; everything else on stderr.

import type { ListPage } from "../../platform/db/index.ts";
import { stderr, stdout } from "./terminal.ts";

type Value = string | number | boolean | null | undefined | Date | readonly unknown[] | object;
export type Shown = Record<string, Value>;

export function print(data: Shown | Shown[], { json }: { json?: boolean | undefined }): void {
  if (json) stdout.write(`${JSON.stringify(data, null, 2)}\n`);
  else stdout.write(`${Array.isArray(data) ? table(data) : lines(data)}\n`);
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
  stdout.write(`\n${title}\n${table(records)}\n`);
}

/** ISO 8601, from milliseconds since the Unix epoch. */
export function time(ms: string): string {
  return new Date(Number(ms)).toISOString();
}

function lines(record: Shown): string {
  const width = Math.max(...Object.keys(record).map((name) => name.length));
  return Object.entries(record)
    .map(([name, value]) => `${name.padEnd(width)}  ${shown(value)}`)
    .join("\n");
}

export function table(records: Shown[]): string {
  const [first] = records;
  if (!first) return "none";
  const names = Object.keys(first);
  const rows = [names, ...records.map((record) => names.map((name) => shown(record[name])))];
  const widths = names.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
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
