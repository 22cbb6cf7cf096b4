// What reading a NACHA file yields: its entries, each with its batch, its file header and its addenda.

import type { RecordLayout, RecordValues } from "../record-layout.ts";
import type { RecordReader } from "../record-reader.ts";
import type { Sums } from "../report.ts";
import type { AddendaKind } from "./addenda-layouts.ts";

/** A record as it is in the file: each field with its filling, by the names of the layout. */
export type NachaRecord = {
  line: number;
  layout: RecordLayout<string>;
  values: RecordValues<string>;
};

export type NachaBatch = NachaRecord & {
  /** The file header, where the file has one. */
  file: NachaRecord | undefined;
  entryClass: string;
  companyId: string;
  /** The bank that the batch comes from, 8 digits. For returns it is the receiver's bank. */
  odfi: string;
  isInternational: boolean;
  isAdvice: boolean;
};

export type NachaAddendum = NachaRecord & {
  type: string;
  kind: AddendaKind;
};

export type NachaEntry = NachaRecord & {
  /** Undefined where the entry is outside of a batch. */
  batch: NachaBatch | undefined;
  transactionCode: string;
  direction: keyof Sums;
  /** Cents. */
  amount: bigint;
  /** 9 digits. */
  routingNumber: string;
  accountNumber: string;
  identification: string;
  name: string;
  traceNumber: string;
  addenda: NachaAddendum[];
};

export function toNachaRecord(
  record: RecordReader<string>,
  layout: RecordLayout<string>,
): NachaRecord {
  const values: Record<string, string> = {};
  for (const { name } of layout.fields) values[name] = record.raw(name);
  return { line: record.line, layout, values };
}
