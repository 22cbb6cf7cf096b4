// Checks a bank file of any format. Never throws, whatever the file holds.

import { toSum } from "./money.ts";
import { readableFormats } from "./readable-formats.ts";
import { type FileProblem, type FileReport, isValid, type Sums } from "./report.ts";

export type BankFileCheck = {
  format: FileReport["format"];
  valid: boolean;
  problems: FileProblem[];
  count: number;
  /** Minor units; null where the file has several currencies. */
  credit: number | string | null;
  debit: number | string | null;
  /** Sums by currency, if the file has several. */
  totals?: Record<string, { credit: number | string; debit: number | string }>;
};

export function checkBankFile(bytes: Uint8Array): BankFileCheck {
  const report = reportOn(bytes);
  const { format, problems, count, totals } = report;
  const [only = { credit: 0n, debit: 0n }] = totals.values();
  const many = totals.size > 1;
  return {
    format,
    valid: isValid(report),
    problems,
    count,
    credit: many ? null : toSum(only.credit),
    debit: many ? null : toSum(only.debit),
    ...(many && { totals: Object.fromEntries([...totals].map(onWire)) }),
  };
}

function onWire([currency, { credit, debit }]: [string, Sums]) {
  return [currency, { credit: toSum(credit), debit: toSum(debit) }];
}

function reportOn(bytes: Uint8Array): FileReport {
  if (bytes.length === 0) return unknown("the file is empty");
  const text = decodeBankFile(bytes);
  if (text === undefined) return unknown("the file is not text");
  const format = readableFormats.find(({ recognises }) => recognises(text));
  return format?.check(text) ?? unknown("no known format begins like this");
}

function unknown(message: string): FileReport {
  const problems: FileProblem[] = [{ severity: "error", line: 0, column: 0, message }];
  return { format: "unknown", problems, count: 0, totals: new Map() };
}

/** UTF-8, UTF-16 with its mark, or Latin-1: old systems write it. Undefined for binary files. */
export function decodeBankFile(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("latin1").decode(bytes);
  }
}
