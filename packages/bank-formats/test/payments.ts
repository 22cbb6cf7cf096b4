// Made-up payments, and random ones, for the tests of all formats.

import fc from "fast-check";
import type { FileFacts, FileTotals, Payment, PaymentFormat } from "../src/format.ts";

export function examplePayment(changes: Partial<Payment> = {}): Payment {
  return {
    payoutId: "0193a5f2-7c1e-7d3a-9b0c-5e2f4a6b8c1d",
    amount: 10_000n,
    currency: "AUD",
    country: "AUS",
    bsb: "083047",
    bankCode: "",
    accountNumber: "111111111",
    payeeName: "JANE CITIZEN",
    isBusiness: false,
    accountType: "checking",
    address: undefined,
    statementReference: "PO-0001",
    statementName: "",
    purpose: "",
    ...changes,
  };
}

export function exampleFacts(
  payments: readonly Payment[],
  processDate = "2026-11-17",
): FileFacts & FileTotals {
  return {
    fileId: "0193a5f2-7c1e-7d3a-9b0c-5e2f4a6b8c1e",
    sequence: 1,
    processDate,
    createdAtMs: Date.parse("2026-11-16T03:00:00Z"),
    count: payments.length,
    total: payments.reduce((sum, { amount }) => sum + amount, 0n),
  };
}

export function writeFile<Settings>(
  format: PaymentFormat<Settings>,
  settings: Settings,
  payments: readonly Payment[],
  facts = exampleFacts(payments),
): string {
  const writer = format.open(facts, settings);
  const body = [...payments.map(writer.payment), writer.trailer()].join("");
  return writer.header(facts) + body;
}

const scripts = [
  "Jane Citizen",
  "José Müller-Øst",
  "株式会社 山田",
  "محمد علي",
  "Мария Иванова",
  "प्रिया शर्मा",
  "김민준",
  "Nguyễn Thị Hồng",
  "Ελένη Παπαδοπούλου",
  'O’Brien & Sons, Pty; "Ltd"',
  "🙂 Smile",
];

/** Names of many scripts, and any text at all. */
export const anyName = fc.oneof(
  fc.constantFrom(...scripts),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 80 }),
  fc.string({ unit: "binary", minLength: 1, maxLength: 80 }),
);

export function anyAmount(max: bigint): fc.Arbitrary<bigint> {
  return fc.oneof(fc.constantFrom(1n, 9n, 100n, max), fc.bigInt(1n, max));
}
