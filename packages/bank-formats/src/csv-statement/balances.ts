// The balances beside the lines of a CSV statement: each must follow from the one before.

import { toDecimal } from "../money.ts";
import type { FileProblems } from "../report.ts";
import type { CsvMapping } from "./mapping.ts";
import type { CsvLine } from "./rows.ts";

type Balances = { opening: bigint | undefined; closing: bigint | undefined };

/** Lines of one account and currency, oldest first. The balance of a line is after it. Lines may lack theirs. */
export function checkBalances(
  lines: readonly CsvLine[],
  { balance: column }: Pick<CsvMapping, "balance">,
  problems: FileProblems,
): Balances {
  if (column === undefined) return { opening: undefined, closing: undefined };
  let sum = 0n;
  let opening: bigint | undefined;
  for (const { line, currency, amount = 0n, balance } of lines) {
    sum += amount;
    if (balance === undefined) continue;
    if (opening !== undefined && opening + sum !== balance) {
      const expected = toDecimal(opening + sum, currency);
      const found = toDecimal(balance, currency);
      const message = `the balance must be ${expected} (the one before and the amount), but is ${found}`;
      problems.error(line, 1, message);
    }
    // What follows is compared with what the bank says, so that one gap is one problem.
    opening ??= balance - sum;
    sum = balance - opening;
  }
  return { opening, closing: opening === undefined ? undefined : opening + sum };
}
