// An ABA file in which a bank returns payouts.

import type { BankConnection } from "../../src/banking/connections/connection.ts";

export type AbaReturnLine = {
  amount: number;
  reference: string;
  code?: string;
  day?: string;
  bsb?: string;
  account?: string;
};

/** A return file as a bank sends it. The accounts are swapped: ours is first. */
export function abaReturns(
  connection: Pick<BankConnection, "settings">,
  lines: readonly AbaReturnLine[],
  { date, total, ours }: { date: string; total?: number; ours?: string },
): string {
  const { account_number } = connection.settings as { account_number: string };
  const [year = "", month = "", day = ""] = date.split("-");
  const sum = lines.reduce((all, { amount }) => all + amount, 0);
  const money = (amount: number) => String(amount).padStart(10, "0");
  const records = lines.map((line) =>
    [
      `2062-000${(ours ?? account_number).padStart(9)}`,
      `${line.code ?? "5"}50${money(line.amount)}`,
      "ADA LOVELACE".padEnd(32),
      line.reference.padEnd(18),
      (line.bsb ?? "083-047") + (line.account ?? "111111111").padStart(9),
      "ACME PAYOUTS".padEnd(16),
      `${line.day ?? day}301500`,
    ].join(""),
  );
  const header = [
    `0${" ".repeat(17)}01CBA${" ".repeat(7)}`,
    "CBA RETURNS".padEnd(26),
    `301500${"RETURNS".padEnd(12)}${day}${month}${year.slice(2)}${" ".repeat(40)}`,
  ].join("");
  const totals = money(total ?? sum) + money(total ?? sum) + money(0);
  const count = String(lines.length).padStart(6, "0");
  const trailer = `7999-999${" ".repeat(12)}${totals}${" ".repeat(24)}${count}${" ".repeat(40)}`;
  return [header, ...records, trailer, ""].join("\r\n");
}
