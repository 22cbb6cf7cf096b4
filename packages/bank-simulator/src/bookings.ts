// What a file or a deposit does to the customer's account: debits for payments, credits for what comes back or in, charges.

import { parseDecimal } from "./amounts.ts";
import type { DecidedFile, DecidedInstruction } from "./decision.ts";
import type { BankDeposit } from "./deposit-file.ts";
import type { BankInstruction } from "./instruction-file.ts";
import { causeCodes } from "./outcomes.ts";

/** "batch": one debit for a whole file. "single": one for each payment. */
export const bookingModes = ["batch", "single"] as const;
export type BookingMode = (typeof bookingModes)[number];

export type BookingRules = {
  booking: BookingMode;
  /** In the account's currency, such as "0.25"; empty: none. */
  chargePerFile: string;
};

export const usualBooking: BookingRules = { booking: "batch", chargePerFile: "" };

/** What a booking is. */
export type BookingSubject =
  | { kind: "file"; count: number }
  | { kind: "payment"; instruction: BankInstruction }
  | { kind: "return"; instruction: BankInstruction; code: string; cause: string }
  | { kind: "deposit"; from: string; text: string }
  | { kind: "charge"; text: string };

export type Booking = {
  /** Equal for the same booking after a restart, however it is written. The debits of a file share one. */
  key: string;
  atMs: number;
  /** YYYY-MM-DD. With a shortened day, a file may be paid before its process date; its bookings never say so. */
  date: string;
  direction: "credit" | "debit";
  amount: bigint;
  /** The bank's own reference, which tells bookings apart. */
  reference: string;
  /** The name that the customer gave the file; empty where there is none. */
  messageId: string;
  subject: BookingSubject;
};

/** Undefined for zero, and for more decimals than the currency has. */
export function amountIn(text: string, currency: string): bigint | undefined {
  return parseDecimal(text.includes(".") ? text.replace(/\.?0+$/, "") : text, currency);
}

export type BookingTimes = { payMs: number; returnMs: number };

/** Whether payments that are not paid are told before they are debited. Only pain.001 has such an answer. */
export function tellsRejections({ file }: DecidedFile): boolean {
  return file.format.startsWith("pain.");
}

export function bookingsOf(
  decided: DecidedFile,
  { payMs, returnMs }: BookingTimes,
  rules: BookingRules,
): Booking[] {
  const { payments, reference, file } = decided;
  const { messageId, processDate } = file;
  const isRejected = ({ outcome }: DecidedInstruction) => outcome.kind === "rejected";
  const debited = tellsRejections(decided)
    ? payments.filter((payment) => !isRejected(payment))
    : payments;
  if (debited.length === 0) return [];
  const paid = { atMs: payMs, date: bookingDate(payMs, processDate), messageId };
  const credits = debited.flatMap(({ instruction, outcome }): Booking[] => {
    if (!("cause" in outcome)) return [];
    const { cause, kind } = outcome;
    const atMs = kind === "rejected" ? payMs : returnMs;
    const own = `${reference}R${instruction.number}`;
    return [
      {
        key: own,
        atMs,
        date: bookingDate(atMs, processDate),
        direction: "credit",
        amount: instruction.amount,
        reference: own,
        messageId,
        subject: { kind: "return", instruction, code: causeCodes.iso[cause], cause },
      },
    ];
  });
  const charge = rules.chargePerFile && amountIn(rules.chargePerFile, file.currency);
  const charges: Booking[] = charge
    ? [
        {
          ...paid,
          key: `${reference}C`,
          direction: "debit",
          amount: charge,
          reference: `${reference}C`,
          messageId: "",
          subject: { kind: "charge", text: "FEE PAYMENT FILE" },
        },
      ]
    : [];
  return [
    ...debitsOf(decided, debited, { ...paid, key: reference }, rules),
    ...charges,
    ...credits,
  ];
}

function debitsOf(
  { reference }: DecidedFile,
  debited: readonly DecidedInstruction[],
  paid: Pick<Booking, "key" | "atMs" | "date" | "messageId">,
  { booking }: BookingRules,
): Booking[] {
  const direction = "debit";
  if (booking === "single") {
    return debited.map(({ instruction }) => ({
      ...paid,
      direction,
      amount: instruction.amount,
      reference: `${reference}P${instruction.number}`,
      subject: { kind: "payment", instruction },
    }));
  }
  const amount = debited.reduce((sum, { instruction }) => sum + instruction.amount, 0n);
  const subject = { kind: "file", count: debited.length } as const;
  return [{ ...paid, direction, amount, reference, subject }];
}

export function depositBooking({
  receivedMs,
  reference,
  amount,
  from,
  text,
}: BankDeposit): Booking {
  return {
    key: reference,
    atMs: receivedMs,
    date: bookingDate(receivedMs, ""),
    direction: "credit",
    amount,
    reference,
    messageId: "",
    subject: { kind: "deposit", from, text },
  };
}

/** Signed: a debit is below zero. */
export function changeOf({ direction, amount }: Pick<Booking, "direction" | "amount">): bigint {
  return direction === "credit" ? amount : -amount;
}

export function bookingDate(atMs: number, processDate: string): string {
  const date = new Date(atMs).toISOString().slice(0, 10);
  return date < processDate ? processDate : date;
}

/** One line for statements whose entries have no fields of their own for all this. */
export function bookingText({ subject, messageId }: Booking): string {
  const words = () => {
    switch (subject.kind) {
      case "file":
        return ["PAYMENT FILE", messageId, `${subject.count} PAYMENTS`];
      case "payment":
        return ["PAYMENT", subject.instruction.name, subject.instruction.reference];
      case "return":
        return ["RETURN", subject.code, subject.instruction.name, subject.instruction.reference];
      case "deposit":
        return ["DEPOSIT", subject.from, subject.text];
      case "charge":
        return [subject.text];
    }
  };
  return words()
    .filter((word) => word !== "")
    .join(" ");
}

/** What the customer gave the booking as its reference; empty where there is none. */
export function customerReference({ subject, messageId }: Booking): string {
  if (subject.kind !== "payment" && subject.kind !== "return") return messageId;
  return subject.instruction.id || subject.instruction.reference;
}
