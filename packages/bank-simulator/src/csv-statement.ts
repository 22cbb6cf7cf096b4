// CSV statements of the simulated bank: one line for each booking, oldest first, with the balance after it.

import { toDecimal } from "./amounts.ts";
import { type Booking, bookingText, changeOf, customerReference } from "./bookings.ts";
import { accountText, type CamtAccount, type StatementFacts } from "./camt-message.ts";

const columns = [
  "Account",
  "Date",
  "Value date",
  "Amount",
  "Currency",
  "Balance",
  "Reference",
  "Name",
  "Description",
  "Bank reference",
];

export function writeCsvStatement(
  { account, currency }: CamtAccount,
  { opening }: Pick<StatementFacts, "opening">,
  bookings: readonly Booking[],
): string {
  let balance = opening;
  const rows = bookings.map((booking) => {
    const { date, reference } = booking;
    const change = changeOf(booking);
    balance += change;
    return [
      accountText(account),
      date,
      date,
      toDecimal(change, currency),
      currency,
      toDecimal(balance, currency),
      customerReference(booking),
      nameIn(booking),
      bookingText(booking),
      reference,
    ];
  });
  return [columns, ...rows].map((row) => `${row.map(quote).join(",")}\r\n`).join("");
}

function nameIn({ subject }: Booking): string {
  if (subject.kind === "deposit") return subject.from;
  return "instruction" in subject ? subject.instruction.name : "";
}

function quote(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
