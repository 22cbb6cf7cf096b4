// BAI2 statements of the simulated bank.

import type { Booking } from "./bookings.ts";
import { accountText, type CamtAccount, type StatementFacts } from "./camt-message.ts";

/** The bank's and the customer's names in the file. */
const sender = "SIMBANK";
const receiver = "CUSTOMER";

/** ACH settlement, and an item that came back. */
const typeCodes = { debit: "466", credit: "257" };

export function writeBai2Statement(
  { account, currency }: CamtAccount,
  { sequence, toMs, opening, closing }: StatementFacts,
  bookings: readonly Booking[],
): string {
  const stamp = new Date(toMs).toISOString().replace(/\D/g, "");
  const date = stamp.slice(2, 8);
  const time = stamp.slice(8, 12);
  const details = bookings.map(({ direction, amount, reference, messageId, returned }) => {
    const text = returned
      ? `RETURN ${returned.code} ${returned.instruction.reference}`
      : "PAYMENT FILE";
    const customerReference = returned?.instruction.id || messageId;
    return `16,${typeCodes[direction]},${amount},,${reference},${customerReference},${toText(text)}`;
  });
  const lines = [
    `03,${accountText(account)},${currency},010,${opening},,,015,${closing},,/`,
    ...details,
  ];
  const total = bookings.reduce((sum, { amount }) => sum + amount, opening + closing);
  lines.push(`49,${total},${lines.length + 1}/`);
  const group = [`02,${receiver},${sender},1,${date},${time},${currency},2/`, ...lines];
  group.push(`98,${total},1,${group.length + 1}/`);
  const file = [`01,${sender},${receiver},${date},${time},${sequence},,,2/`, ...group];
  file.push(`99,${total},1,${file.length + 1}/`);
  return file.map((line) => `${line}\r\n`).join("");
}

/** Commas and slashes end fields and records. */
function toText(text: string): string {
  return text.replaceAll(/[,/]/g, " ");
}
