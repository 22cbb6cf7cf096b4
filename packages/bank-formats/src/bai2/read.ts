// Reads BAI2 files: yields accounts and transactions, and reports all that is wrong.

import { addTo, FileProblems, type FileReport, type Sums } from "../report.ts";
import { continuationCode, type PhysicalRecord, physicalRecords } from "./physical-records.ts";
import { Bai2Reader } from "./reader.ts";
import type { Bai2Record } from "./records.ts";

export function recognisesBai2(text: string): boolean {
  const start = text.slice(0, 1000).trimStart();
  return /^(0[0-3]|16|49|88|98|99),[^\r\n]*\//.test(start);
}

export function* readBai2(text: string): Generator<Bai2Record, FileReport, void> {
  const problems = new FileProblems();
  const totals = new Map<string, Sums>();
  const reader = new Bai2Reader(problems);
  let count = 0;
  for (const parts of logicalRecords(text, problems)) {
    const record = reader.take(parts);
    if (!record) continue;
    if (record.kind === "transaction") {
      const { direction, currency, amount } = record;
      count += 1;
      if (direction) addTo(totals, currency, direction, amount);
    }
    yield record;
  }
  reader.finish();
  return { format: "bai2", problems: problems.all, count, totals };
}

/** A record with its continuations (88). */
function* logicalRecords(
  text: string,
  problems: FileProblems,
): Generator<PhysicalRecord[], void, void> {
  let parts: PhysicalRecord[] = [];
  for (const record of physicalRecords(text, problems)) {
    if (record.code === continuationCode && parts.length > 0) {
      parts.push(record);
      continue;
    }
    if (parts.length > 0) yield parts;
    parts = [record];
  }
  if (parts.length > 0) yield parts;
}
