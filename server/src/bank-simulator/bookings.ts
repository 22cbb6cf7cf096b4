// What a file does to the account of the customer who sent it: a debit for the payments, credits for what comes back.

import type { DecidedFile, DecidedInstruction } from "./decision.ts";
import type { BankInstruction } from "./instruction-file.ts";
import { causeCodes } from "./outcomes.ts";

export type Booking = {
  atMs: number;
  /** YYYY-MM-DD. With a shortened day, a file may be paid before its process date; its bookings never say so. */
  date: string;
  direction: "credit" | "debit";
  amount: bigint;
  /** The bank's own reference, which tells bookings apart. */
  reference: string;
  /** The name that the customer gave the file. */
  messageId: string;
  /** What comes back, and why; undefined for the debit of a file. */
  returned: { instruction: BankInstruction; code: string; cause: string } | undefined;
};

export type BookingTimes = { payMs: number; returnMs: number };

/** Whether payments that are not paid are told before they are debited. Only pain.001 has such an answer. */
export function tellsRejections({ file }: DecidedFile): boolean {
  return file.format.startsWith("pain.");
}

export function bookingsOf(decided: DecidedFile, { payMs, returnMs }: BookingTimes): Booking[] {
  const { payments, reference, file } = decided;
  const isRejected = ({ outcome }: DecidedInstruction) => outcome.kind === "rejected";
  const debited = tellsRejections(decided)
    ? payments.filter((payment) => !isRejected(payment))
    : payments;
  const total = debited.reduce((sum, { instruction }) => sum + instruction.amount, 0n);
  if (total === 0n) return [];
  const debit: Booking = {
    atMs: payMs,
    date: bookingDate(payMs, file.processDate),
    direction: "debit",
    amount: total,
    reference,
    messageId: file.messageId,
    returned: undefined,
  };
  const credits = debited.flatMap(({ instruction, outcome }): Booking[] => {
    if (!("cause" in outcome)) return [];
    const { cause, kind } = outcome;
    const atMs = kind === "rejected" ? payMs : returnMs;
    return [
      {
        atMs,
        date: bookingDate(atMs, file.processDate),
        direction: "credit",
        amount: instruction.amount,
        reference: `${reference}R${instruction.number}`,
        messageId: file.messageId,
        returned: { instruction, code: causeCodes.iso[cause], cause },
      },
    ];
  });
  return [debit, ...credits];
}

export function bookingDate(atMs: number, processDate: string): string {
  const date = new Date(atMs).toISOString().slice(0, 10);
  return date < processDate ? processDate : date;
}
