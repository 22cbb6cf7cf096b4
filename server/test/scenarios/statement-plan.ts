// What is paid in the month of generated statements: our accounts, their files and payments, made at random. Pure.

import type { Draw } from "./seeded-draw.ts";
import type { OwnAccount } from "./statement-movements.ts";

type AccountPlan = Pick<OwnAccount, "currency" | "format" | "notifies" | "hasBankReferences">;

/** Every format, two currencies, with and without the bank's own references. */
export const accountPlans: readonly AccountPlan[] = [
  { currency: "AUD", format: "camt.053.001.02", notifies: true, hasBankReferences: true },
  { currency: "AUD", format: "camt.053.001.04", notifies: false, hasBankReferences: false },
  { currency: "EUR", format: "camt.053.001.08", notifies: true, hasBankReferences: true },
  { currency: "AUD", format: "bai2", notifies: false, hasBankReferences: true },
  { currency: "EUR", format: "csv", notifies: false, hasBankReferences: false },
];

export type PlannedPayment = {
  /** The number of the payee. */
  payee: number;
  amount: bigint;
  reference: string;
};

export type PlannedFile = { day: string; payments: PlannedPayment[] };

/** More where there are many payments. */
const filesPerDay = { least: 3, most: 12, payments: 100 };
const smallestFile = 2;

/** Some payments of a file are equal, and some files of a day are. */
export function planFiles(
  draw: Draw,
  {
    days,
    payments,
    payees,
    filesOfDay: given,
  }: {
    days: readonly string[];
    payments: number;
    payees: number;
    filesOfDay?: number | undefined;
  },
): PlannedFile[] {
  const files: PlannedFile[] = [];
  const perDay = payments / days.length;
  const { least, most } = filesPerDay;
  const filesOfDay =
    given ?? Math.min(most, Math.max(least, Math.round(perDay / filesPerDay.payments)));
  const average = perDay / filesOfDay;
  let made = 0;
  const newPayment = (like?: PlannedPayment): PlannedPayment => {
    made += 1;
    const { payee, amount } = like ?? {
      payee: draw.below(payees),
      amount: BigInt(100 + draw.below(2_000_000)),
    };
    return { payee, amount, reference: `PO-${made}` };
  };
  for (const day of days) {
    for (let number = 0; number < filesOfDay; number += 1) {
      const before = files.at(-1);
      if (number > 0 && before && draw.number() < 0.05) {
        files.push({ day, payments: before.payments.map(newPayment) });
        continue;
      }
      const size = Math.max(smallestFile, Math.round(average * (0.3 + 1.4 * draw.number())));
      const file: PlannedFile = { day, payments: [] };
      for (let count = 0; count < size; count += 1) {
        const isEqual = draw.number() < 0.03;
        file.payments.push(newPayment(isEqual ? file.payments.at(-1) : undefined));
      }
      files.push(file);
    }
  }
  return files;
}

/** A little more than there are lines: some files are one debit. */
export function paymentsFor(lines: number): number {
  return Math.ceil((lines / accountPlans.length) * 1.4);
}
