// A CSV file of payouts: its columns, how people write what is in them, and what a row is known by.

import { hash } from "node:crypto";
import { type Check, checkOf } from "../fields/check.ts";
import type { Fields, SchemaExtras } from "../fields/fields.ts";
import { type FieldWords, fieldsOf } from "../fields/words.ts";
import { isCurrency, parseDecimal, thousand } from "../money.ts";
import { type PayoutRequest, toPayoutRequest } from "../payouts/payout.ts";
import { NewPayout } from "../payouts/schema.ts";
import { importKey } from "./create-rows.ts";
import type { CheckAmong, Row, RowFormat } from "./csv-rows.ts";

/** Where a person writes something else than a program does, or has no example yet. */
const written: Record<string, Partial<FieldWords>> = {
  receiver_id: { meaning: "Who is paid", example: "0190f3a2-7b3c-7d1e-8f00-0123456789ab" },
  account_id: {
    meaning: "Which of the receiver's accounts",
    example: "0190f3a2-7b3c-7d1e-8f01-0123456789ab",
  },
  amount: { meaning: "In units of the currency: 12.50, and 1250 of JPY", example: "12.50" },
  currency: { meaning: "ISO 4217, such as AUD" },
  reference: { meaning: "Yours, at most 200 characters", example: "invoice-0042" },
  note: { meaning: "At most 500 characters", example: "May" },
  allow_duplicate: { meaning: "true: pay it although another row or payout says the same" },
};

const columns = fieldsOf(NewPayout).map((column) => ({ ...column, ...written[column.name] }));

export const templateColumns = columns.filter(({ name }) => name !== "allow_duplicate");

export const payoutFormat: RowFormat = {
  columns,
  aliases: (NewPayout as SchemaExtras).aliases ?? {},
  check: checkCells,
};

const check: Check = checkOf(NewPayout);
const never = { no: "field accepts this" };

function checkCells(cells: Fields): ReturnType<Check> {
  const { amount, currency, allow_duplicate } = cells as Record<string, string | undefined>;
  const { fields, problems } = check({
    ...cells,
    amount: minorUnits(amount, currency),
    allow_duplicate: allow_duplicate && (flags[allow_duplicate.toLowerCase()] ?? never),
  });
  const explained = problems.map((problem) => {
    if (problem.code !== "PAYO207") return problem;
    const how = `write it like ${thousand(currency as string)}`;
    return { ...problem, message: `${problem.message}: ${how}` };
  });
  return { fields, problems: explained };
}

const flags: Record<string, boolean> = { true: true, false: false };

/** Where nobody knows of what currency, that is the problem, and not the amount. */
function minorUnits(amount = "", currency = ""): unknown {
  if (amount === "") return undefined;
  if (!isCurrency(currency)) return "1";
  // Never the text itself: as minor units it would be another amount.
  return parseDecimal(amount, currency)?.toString() ?? never;
}

export function payoutRequestOf({ fields }: Row): PayoutRequest {
  return toPayoutRequest(fields as unknown as NewPayout);
}

/** What two payouts have in common when one may be a mistake. */
function likenessOf({
  receiverId,
  accountId,
  amount,
  currency,
  reference,
}: PayoutRequest): string[] {
  return [receiverId, accountId, amount.toString(), currency, reference];
}

/** For one pass: a row that says the same as one before it has to say that it is meant. */
export function duplicateCheck(): CheckAmong {
  const firstRows = new Map<string, number>();
  return (row) => {
    if (row.problems.length > 0) return [];
    const wish = payoutRequestOf(row);
    const name = hash("sha256", JSON.stringify(likenessOf(wish)), "binary");
    const first = firstRows.get(name);
    if (first === undefined) firstRows.set(name, row.number);
    if (first === undefined || wish.allowDuplicate) return [];
    const message = `Row ${first} says the same: if it is meant, allow_duplicate has to say true`;
    return [{ row: row.number, column: "", code: "PAYO226", message }];
  };
}

/**
 * For one pass: what each row is known by, for all runs. It is what the row says and how many before it say
 * the same, so that there are as many payouts as such rows, however often and in whatever order they come.
 */
export function rowKeys(): (wish: PayoutRequest) => ReturnType<typeof importKey> {
  const seen = new Map<string, number>();
  return (wish) => {
    const likeness = likenessOf(wish);
    const name = hash("sha256", JSON.stringify(likeness), "binary");
    const earlier = seen.get(name) ?? 0;
    seen.set(name, earlier + 1);
    return importKey(["payout", ...likeness, earlier]);
  };
}
