// The result of reading a bank file: its records, its sums, and all problems with their places.

import type { FileProblem } from "./documents/index.ts";

export { type FileProblem, FileProblems } from "./documents/index.ts";

export type Sums = { credit: bigint; debit: bigint };

/** The name of a format, or the full name of an ISO 20022 message, such as `pain.001.001.09`. */
export type FormatName =
  | "aba"
  | "nz-anz"
  | "nz-bnz"
  | "nz-asb"
  | "nz-westpac"
  | "nacha"
  | "bai2"
  | "csv"
  | "unknown"
  | `${"pain" | "camt"}.${string}`;

export type FileReport = {
  format: FormatName;
  problems: FileProblem[];
  /** How many payments or entries the file has. */
  count: number;
  /** Sums by currency. A file without a currency has that of its format. */
  totals: ReadonlyMap<string, Sums>;
};

export function isValid({ problems }: Pick<FileReport, "problems">): boolean {
  return !problems.some(({ severity }) => severity === "error");
}

/** Adds to the sums of a currency. */
export function addTo(
  totals: Map<string, Sums>,
  currency: string,
  direction: keyof Sums,
  amount: bigint,
): void {
  const sums = totals.get(currency) ?? { credit: 0n, debit: 0n };
  sums[direction] += amount;
  totals.set(currency, sums);
}

/** Reads a file to its end for its report alone. */
export function reportOf(records: Generator<unknown, FileReport, void>): FileReport {
  for (let next = records.next(); ; next = records.next()) {
    if (next.done) return next.value;
  }
}
