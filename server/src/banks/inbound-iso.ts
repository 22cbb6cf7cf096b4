// What ISO 20022 messages report about our payments: statuses in pain.002, returns in camt.054 and camt.053.

import type { EntryTransaction } from "../bank-formats/iso/camt-records.ts";
import { type IsoRecord, readableIso, readIsoMessage } from "../bank-formats/iso/iso-messages.ts";
import type { StatusRecord } from "../bank-formats/iso/pain-002-reader.ts";
import {
  emptyLine,
  type InboundKind,
  type InboundLine,
  type InboundLines,
  idInReference,
} from "./inbound-line.ts";

export const inboundIso = { recognises: readableIso.recognises, read: readIsoReports };

function* readIsoReports(text: string): InboundLines {
  const records = readIsoMessage(text);
  if (!records) throw new RangeError("the text is no ISO 20022 message");
  let group: StatusRecord | undefined;
  for (;;) {
    const { done, value } = records.next();
    if (done) return value;
    const line = isStatus(value) ? statusLine(value, group) : returnLine(value);
    if (isStatus(value) && value.kind === "group") group = value;
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

/** Money that came back to our account. Everything else on a statement is not reported here. */
function returnLine(record: Exclude<IsoRecord, StatusRecord>): InboundLine | undefined {
  if (record.kind !== "transaction" && record.kind !== "entry") return undefined;
  // The transactions inside of an entry say more than the entry.
  if (record.kind === "entry" && record.transactions > 0) return undefined;
  const { direction, status, returnReason, isReversal, references } = record;
  if (direction !== "credit" || status !== "BOOK" || !(returnReason || isReversal)) {
    return undefined;
  }
  const { endToEndId, instructionId, accountServicerReference } = references;
  const payoutId = idInReference(endToEndId) || idInReference(instructionId);
  const details = record.kind === "transaction" ? record : undefined;
  const remittance = details?.remittance ?? "";
  return {
    ...emptyLine,
    line: record.line,
    kind: "return",
    scheme: "iso",
    code: returnReason?.code ?? "",
    text: returnReason?.text ?? "",
    payoutId,
    // In a return the parties may stay as they were in our payment, or be swapped. Ours is never the payee.
    payee: { bank: "", account: payeeOf(record, details) },
    reference: remittance || endToEndId,
    day: record.bookingDate || record.valueDate,
    dayMeaning: "until",
    amount: record.amount,
    currency: record.currency,
    ours: record.account,
    // Without our reference, the bank's own tells items apart.
    item: payoutId === "" ? accountServicerReference : "",
  };
}

function payeeOf({ account }: { account: string }, details: EntryTransaction | undefined): string {
  const { creditorAccount = "", debtorAccount = "" } = details ?? {};
  return creditorAccount === "" || creditorAccount === account ? debtorAccount : creditorAccount;
}
