// What pain.002 reports about our payments. Statements and notifications are read as statements.

import {
  findMessage,
  type IsoRecord,
  readIsoMessage,
  type StatusRecord,
} from "../../../../packages/bank-formats/src/index.ts";
import {
  emptyLine,
  type InboundKind,
  type InboundLine,
  type InboundLines,
  idInReference,
} from "./inbound-line.ts";

export const inboundIso = {
  recognises: (text: string) => findMessage(text)?.kind === "pain.002",
  source: "returns" as const,
  read: readIsoReports,
};

function* readIsoReports(text: string): InboundLines {
  const records = readIsoMessage(text);
  if (!records) throw new RangeError("the text is no ISO 20022 message");
  let group: StatusRecord | undefined;
  for (;;) {
    const { done, value } = records.next();
    if (done) return value;
    if (!isStatus(value)) continue;
    const line = statusLine(value, group);
    if (value.kind === "group") group = value;
    if (line) yield line;
  }
}

function isStatus(record: IsoRecord): record is StatusRecord {
  return "reasons" in record;
}

const kinds: Record<NonNullable<StatusRecord["meaning"]>, InboundKind> = {
  pending: "accepted",
  debited: "debited",
  settled: "settled",
  rejected: "rejection",
  // Its parts tell; the answer to a payee verification decides nothing by itself.
  partial: "accepted",
  verification: "accepted",
};

function statusLine(
  record: StatusRecord,
  group: StatusRecord | undefined,
): InboundLine | undefined {
  const { status, meaning } = record;
  const isPayment = record.kind === "transaction";
  const isInherited = status === group?.status && record.reasons.length === 0;
  // A bank that gives the file no status gives it to the payments. A block repeats the status of its file.
  if (!isPayment && (status === "" || isInherited)) return undefined;
  const reasons = isInherited ? (group?.reasons ?? []) : record.reasons;
  const [reason = { code: "", text: "" }] = reasons;
  const words = reasons.map(({ text }) => text).filter((text) => text !== "");
  return {
    ...emptyLine,
    line: record.line,
    kind: meaning === undefined ? "other" : kinds[meaning],
    scheme: "iso",
    code: reason.code || (meaning === "rejected" ? "" : status),
    text: words.join(" ") || record.statusText,
    payoutId: isPayment
      ? idInReference(record.endToEndId) || idInReference(record.instructionId)
      : "",
    batchId: idInReference(record.originalMessageId),
    reference: isPayment ? record.endToEndId : record.originalMessageId,
    isWholeFile: !isPayment,
    item: `${record.kind} ${status}`,
  };
}
