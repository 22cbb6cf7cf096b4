// ISO 20022 messages, as the port sees them.

import type { ReadableFormat } from "../format.ts";
import { type FileReport, reportOf } from "../report.ts";
import { type CamtMessage, readCamt } from "./camt-reader.ts";
import type { CamtRecord } from "./camt-records.ts";
import { findMessage, type Message } from "./messages.ts";
import { type InitiationRecord, readPain001 } from "./pain-001-reader.ts";
import { readPain002, type StatusRecord } from "./pain-002-reader.ts";

export type IsoRecord = CamtRecord | InitiationRecord | StatusRecord;

/** Undefined where the text begins as no message that we know. */
export function readIsoMessage(text: string): Generator<IsoRecord, FileReport, void> | undefined {
  const message = findMessage(text);
  return message && readMessage(text, message);
}

function readMessage(text: string, message: Message): Generator<IsoRecord, FileReport, void> {
  if (message.kind === "pain.001") return readPain001(text, message);
  if (message.kind === "pain.002") return readPain002(text, message);
  return readCamt(text, message as CamtMessage);
}

export const readableIso: ReadableFormat = {
  recognises: (text) => findMessage(text) !== undefined,
  check(text) {
    const records = readIsoMessage(text);
    if (!records) throw new RangeError("the text is no ISO 20022 message");
    const report = reportOf(records);
    // Some problems are known only at the end of what they concern.
    report.problems.sort((one, other) => one.line - other.line || one.column - other.column);
    return report;
  },
};
