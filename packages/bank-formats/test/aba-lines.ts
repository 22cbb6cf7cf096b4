// The lines of a small ABA file, to be changed by the tests.

import { checkBankFile } from "../src/check.ts";

export const header =
  "0                 01CBA       ACME PAYOUTS PTY LTD      301500PAYOUTS     171126                                        ";
export const credit =
  "1083-047111111111 500000010000JANE CITIZEN                    PO-0001           062-000 12345678ACME PAYOUTS    00000000";
export const secondCredit =
  "1062-000   001234 500000002550O'BRIEN & SONS PTY LTD          PO-0002           062-000 12345678ACME PAYOUTS    00000000";
export const debit =
  "1062-000 12345678 130000012550ACME PAYOUTS PTY LTD            PAYOUTS           062-000 12345678ACME PAYOUTS    00000000";
export const trailer =
  "7999-999            000000000000000125500000012550                        000003                                        ";
export const balanced = [header, credit, secondCredit, debit, trailer];
export const single = trailerOf({ credit: 10_000, count: 1 });
export const returned =
  "2062-000 123456786500000002000JANE CITIZEN                    PO-0001           083-047111111111ACME PAYOUTS    24301500";

export function trailerOf(totals: {
  credit?: number;
  debit?: number;
  net?: number;
  count: number;
}) {
  const { credit = 0, debit = 0, count } = totals;
  const sums = [totals.net ?? Math.abs(credit - debit), credit, debit].map((sum) =>
    String(sum).padStart(10, "0"),
  );
  const counted = String(count).padStart(6, "0");
  return `7999-999            ${sums.join("")}                        ${counted}${" ".repeat(40)}`;
}

export function checkLines(lines: string[], end = "\r\n") {
  return checkBankFile(new TextEncoder().encode(lines.map((line) => line + end).join("")));
}

/** Each problem as `line:column message`. */
export function problemsOf(lines: string[]): string[] {
  return checkLines(lines).problems.map(
    ({ severity, line, column, message }) => `${severity} ${line}:${column} ${message}`,
  );
}

/** The line with other text from a column on. */
export function put(line: string, column: number, text: string): string {
  return line.slice(0, column - 1) + text + line.slice(column - 1 + text.length);
}
