// The control totals of a BAI2 file: each account, group and file says its sum, its parts and its records.

import type { FieldCursor } from "./field-cursor.ts";

type Level = "account" | "group" | "file";

const parts: Readonly<Record<Level, string | undefined>> = {
  account: undefined,
  group: "number of accounts",
  file: "number of groups",
};

/** An account, a group or the file, while it is open. */
export class Bai2Sums {
  readonly line: number;
  total = 0n;
  parts = 0;
  records = 0;

  constructor(line: number) {
    this.line = line;
  }

  add({ total, records }: Bai2Sums): void {
    this.total += total;
    this.parts += 1;
    this.records += records;
  }

  /** Compares with the control record that ends it. */
  compare(level: Level, cursor: FieldCursor): void {
    const { field, value, isRead } = cursor.amount("control total");
    if (field.text === "") cursor.report("error", field, "control total", "given");
    else if (isRead && value !== this.total) {
      cursor.report("error", field, "control total", `${this.total}`, `${value}`);
    }
    const label = parts[level];
    if (label) compareCount(cursor, label, this.parts);
    compareCount(cursor, "number of records", this.records);
  }
}

function compareCount(cursor: FieldCursor, label: string, expected: number): void {
  const { field, value } = cursor.count(label);
  if (value === undefined || value === BigInt(expected)) return;
  cursor.report("error", field, label, `${expected}`, `${value}`);
}
