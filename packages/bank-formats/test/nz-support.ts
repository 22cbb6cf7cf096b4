// What the tests of New Zealand's formats share: accounts with right check digits, random payments, problems as text.

import fc from "fast-check";
import { expect } from "vitest";
import { checkBankFile } from "../src/check.ts";
import type { Payment, PaymentFormat } from "../src/format.ts";
import { writeNewZealandAgain } from "./nz-write-again.ts";
import { anyAmount, anyName, exampleFacts, examplePayment, writeFile } from "./payments.ts";

/** Both have right check digits. */
export const account = "010902006838900";
export const otherAccount = "0865231954512001";

export function nzPayment(changes: Partial<Payment> = {}): Payment {
  return examplePayment({
    currency: "NZD",
    country: "NZL",
    bsb: "",
    accountNumber: account,
    amount: 165_700n,
    payeeName: "Kiri Tane",
    statementReference: "PO-0001",
    ...changes,
  });
}

export function checkText(text: string) {
  return checkBankFile(new TextEncoder().encode(text));
}

/** Each problem as `severity line:column message`. */
export function problemsIn(text: string): string[] {
  return checkText(text).problems.map(
    ({ severity, line, column, message }) => `${severity} ${line}:${column} ${message}`,
  );
}

export function errorsIn(text: string): string[] {
  return problemsIn(text).filter((problem) => problem.startsWith("error "));
}

const anyPayment = fc
  .record({
    amount: anyAmount(9_999_999_999n),
    accountNumber: fc.stringMatching(/^[0-9]{6}[1-9][0-9]{8,9}$/),
    payeeName: anyName,
    statementReference: anyName,
    statementName: fc.oneof(fc.constant(""), anyName),
  })
  .map(nzPayment);

/** The reader finds every file of the writer valid, with the same payments, and it can be written again. */
export function expectReadable<Settings>(
  format: PaymentFormat<Settings>,
  settings: Settings,
  name: string,
): void {
  const fitting = anyPayment.filter((payment) => format.problemsOf(payment, settings).length === 0);
  fc.assert(
    fc.property(fc.array(fitting, { minLength: 1, maxLength: 15 }), (payments) => {
      const { total } = exampleFacts(payments);
      fc.pre(total <= format.limits.total);
      const file = writeFile(format, settings, payments);
      expect(errorsIn(file)).toEqual([]);
      expect(checkText(file)).toMatchObject({
        format: name,
        valid: true,
        count: payments.length,
        credit: Number(total),
        debit: 0,
      });
      const again = writeNewZealandAgain(file)?.map((line) => `${line}\r\n`);
      expect(again?.join("")).toBe(file);
    }),
  );
}

/** Lines of the format, and anything else, in any order. */
export function expectNeverThrows(lines: readonly string[]): void {
  const pieces = fc.oneof(
    fc.constantFrom(...lines, "\r\n", "\n", ","),
    fc.string({ unit: "binary" }),
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
      checkText([lines[0], ...parts].join("\n"));
    }),
  );
}
