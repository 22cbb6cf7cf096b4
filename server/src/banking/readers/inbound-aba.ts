// Returns in ABA files. The day of a return is only a day of the month; the file's own date tells which month.

import {
  type AbaReturn,
  readAba,
  recognisesAba,
} from "../../../../packages/bank-formats/src/index.ts";
import { emptyLine, type InboundLine, type InboundLines } from "./inbound-line.ts";

export const inboundAba = {
  recognises: recognisesAba,
  source: "returns" as const,
  read: readAbaReturns,
};

function* readAbaReturns(text: string, receivedOn: string): InboundLines {
  const records = readAba(text);
  let fileDate = receivedOn;
  // Most returns of a file are of few days.
  let dates = new Map<string, string>();
  for (;;) {
    const { done, value } = records.next();
    if (done) return value;
    if (value.kind === "header") {
      fileDate = value.processDate || receivedOn;
      dates = new Map();
    }
    if (value.kind !== "return") continue;
    const day = dates.get(value.originalDay) ?? lastDayOf(value.originalDay, fileDate);
    dates.set(value.originalDay, day);
    yield toLine(value, day);
  }
}

function toLine(record: AbaReturn, day: string): InboundLine {
  const { line, direction, amount, reference, payeeBsb, payeeAccount, originalUserId } = record;
  return {
    ...emptyLine,
    line,
    // We send credits. A returned debit is not of ours.
    kind: direction === "credit" ? "return" : "other",
    scheme: "becs",
    code: record.returnCode,
    text: "",
    payee: { bank: payeeBsb, account: payeeAccount },
    reference,
    day,
    dayMeaning: "processed",
    amount,
    currency: "AUD",
    ours: record.ourAccount,
    item: originalUserId,
  };
}

/** The last date up to the file's that has this day of the month; empty where there is no such day. */
export function lastDayOf(dayOfMonth: string, fileDate: string): string {
  const day = Number(dayOfMonth);
  if (!(day >= 1 && day <= 31) || fileDate === "") return "";
  const [year = 0, month = 1] = fileDate.split("-").map(Number);
  for (let back = 0; back < 3; back += 1) {
    const date = new Date(Date.UTC(year, month - 1 - back, day));
    const text = date.toISOString().slice(0, 10);
    if (date.getUTCDate() === day && text <= fileDate) return text;
  }
  return "";
}
