// BAI2 statements of the simulated bank.

import { type Booking, type BookingSubject, bookingText, customerReference } from "./bookings.ts";
import { accountText, type CamtAccount, type StatementFacts } from "./camt-message.ts";

/** The bank's and the customer's names in the file. */
const sender = "SIMBANK";
const receiver = "CUSTOMER";

/** ACH settlement, an outgoing transfer, an item that came back, an incoming transfer, a fee. */
const typeCodes: Record<BookingSubject["kind"], string> = {
  file: "466",
  payment: "495",
  return: "257",
  deposit: "195",
  charge: "698",
};

/** Longer records go on in continuations (88). */
const recordMax = 80;

export function writeBai2Statement(
  { account, currency }: CamtAccount,
  { sequence, day, opening, closing, atMs }: StatementFacts & { atMs: number },
  bookings: readonly Booking[],
): string {
  const date = day.replaceAll("-", "").slice(2);
  const time = new Date(atMs).toISOString().slice(11, 16).replace(":", "");
  const details = bookings.flatMap((booking) => {
    const { amount, reference, subject } = booking;
    const fields = [
      typeCodes[subject.kind],
      amount,
      "",
      reference,
      plain(customerReference(booking)),
    ];
    return continued(`16,${fields.join(",")},`, plain(bookingText(booking)));
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
function plain(text: string): string {
  return text.replaceAll(/[,/]/g, " ");
}

/** A record with a text at its end, over as many lines as it needs. Words are never cut. */
function continued(start: string, text: string): string[] {
  const lines = [start];
  for (const word of text.split(" ").filter((part) => part !== "")) {
    const last = lines.at(-1) ?? "";
    const isFirst = last.endsWith(",");
    if (last.length + word.length + 1 > recordMax && !isFirst) lines.push(`88,${word}`);
    else lines[lines.length - 1] = `${last}${isFirst ? "" : " "}${word}`;
  }
  return lines;
}
