// The lines of small NACHA files, to be changed by the tests.

import { checkBankFile } from "../src/check.ts";
import type { Payment } from "../src/format.ts";
import { type NachaSettings, nachaFormat } from "../src/nacha/write.ts";
import { examplePayment, writeFile } from "./payments.ts";

export const nachaSettings: NachaSettings = {
  immediateDestination: "021000021",
  destinationName: "EXAMPLE BANK",
  immediateOrigin: "1987654321",
  originName: "ACME PAYOUTS INC",
  companyName: "ACME PAYOUTS",
  companyId: "1987654321",
  entryDescription: "PAYOUT",
  odfi: "02100002",
};

export function americanPayment(changes: Partial<Payment> = {}): Payment {
  return examplePayment({
    currency: "USD",
    country: "USA",
    bsb: "",
    bankCode: "011401533",
    accountNumber: "000123456789",
    payeeName: "JANE CITIZEN",
    ...changes,
  });
}

export const nines = "9".repeat(94);

export const golden = [
  "101 02100002119876543212611152200A094101EXAMPLE BANK           ACME PAYOUTS INC               ",
  "5220ACME PAYOUTS                        1987654321PPDPAYOUT          261118   1021000020000001",
  "622011401533000123456789     0000010000PO-0001        JANE CITIZEN            0021000020000001",
  "632121000248000987654321     0000002550PO-0002        JOSE MULLER             0021000020000002",
  "822000000200132401770000000000000000000125501987654321                         021000020000001",
  "5220ACME PAYOUTS                        1987654321CCDPAYOUT          261118   1021000020000002",
  "622026009593555000111        0999999999INV 77         O'BRIEN & SONS LLC      0021000020000003",
  "822000000100026009590000000000000009999999991987654321                         021000020000002",
  "9000002000001000000030015841136000000000000001000012549                                       ",
  nines,
];

export const goldenPayments = [
  americanPayment(),
  americanPayment({
    bankCode: "121000248",
    accountNumber: "000987654321",
    amount: 2550n,
    payeeName: "JOSÉ MÜLLER",
    accountType: "savings",
    statementReference: "PO-0002",
  }),
  americanPayment({
    bankCode: "026009593",
    accountNumber: "555000111",
    amount: 999_999_999n,
    payeeName: "O’BRIEN & SONS LLC",
    isBusiness: true,
    statementReference: "INV 77",
  }),
];

export function writeNacha(payments: readonly Payment[], settings = nachaSettings): string {
  return writeFile(nachaFormat, settings, payments);
}

export function checkNacha(lines: readonly string[], end = "\n") {
  return checkBankFile(new TextEncoder().encode(lines.map((line) => line + end).join("")));
}

/** Each problem as `severity line:column message`. */
export function nachaProblems(lines: readonly string[]): string[] {
  return checkNacha(lines).problems.map(
    ({ severity, line, column, message }) => `${severity} ${line}:${column} ${message}`,
  );
}

/** A file of one batch with these entries and addenda, and right controls. */
export function fileOf(
  header: string,
  records: readonly string[],
  sums: { hash: number; debit?: number; credit?: number },
): string[] {
  const { hash, debit = 0, credit = 0 } = sums;
  const digits = (value: number, length: number) => String(value).padStart(length, "0");
  const total = `${digits(hash, 10)}${digits(debit, 12)}${digits(credit, 12)}`;
  const count = records.length;
  const control = `8${header.slice(1, 4)}${digits(count, 6)}${total}${header.slice(40, 50)}${" ".repeat(25)}${header.slice(79)}`;
  const lines = [golden[0] ?? "", header, ...records, control];
  const blocks = Math.ceil((lines.length + 1) / 10);
  lines.push(`9000001${digits(blocks, 6)}${digits(count, 8)}${total}${" ".repeat(39)}`);
  while (lines.length % 10 !== 0) lines.push(nines);
  return lines;
}
