// A CSV file of payouts: its columns, how they are written, and the idempotency key of a row.

import { hash } from "node:crypto";
import { isCurrency, parseDecimal, thousand } from "../../platform/base/index.ts";
import {
  type Check,
  checkOf,
  type Fields,
  type FieldWords,
  fieldsOf,
  type SchemaExtras,
} from "../../platform/fields/index.ts";
import { NewPayout, type PayoutRequest, toPayoutRequest } from "../payouts/index.ts";
import { importKey } from "./create-rows.ts";
import type { CheckAmong, Row, RowFormat } from "./csv-rows.ts";

/** Columns that users write in another way than programs do, or that need an example. */
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
  send_on: { meaning: "YYYY-MM-DD: not sent before that day" },
  statement_reference: {
    meaning: "What the receiver sees on the statement; the reference if empty",
  },
  purpose: { meaning: "ISO 20022 purpose code of 4 characters, such as SALA" },
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

/** Where the currency is wrong, that is the problem, and not the amount. */
function minorUnits(amount = "", currency = ""): unknown {
  if (amount === "") return undefined;
  if (!isCurrency(currency)) return "1";
  // Never the text itself: as minor units it would be another amount.
  return parseDecimal(amount, currency)?.toString() ?? never;
}

export function payoutRequestOf({ fields }: Row): PayoutRequest {
  return toPayoutRequest(fields as unknown as NewPayout);
}

/** The fields that make one payout a duplicate of another. */
function duplicateKeyOf({
  receiverId,
  accountId,
  amount,
  currency,
  reference,
}: PayoutRequest): string[] {
  return [receiverId, accountId, amount.toString(), currency, reference];
}

/** For one pass: a row that duplicates an earlier one must allow it. */
export function duplicateCheck(): CheckAmong {
  const firstRows = new Map<string, number>();
  return (row) => {
    if (row.problems.length > 0) return [];
    const request = payoutRequestOf(row);
    const name = hash("sha256", JSON.stringify(duplicateKeyOf(request)), "binary");
    const first = firstRows.get(name);
    if (first === undefined) firstRows.set(name, row.number);
    if (first === undefined || request.allowDuplicate) return [];
    const message = `Row ${first} says the same: if it is meant, allow_duplicate has to say true`;
    return [{ row: row.number, column: "", code: "PAYO226", message }];
  };
}

/**
 * For one pass: the key of each row, the same in every import. It is made from the content of the row and the number
 * of equal rows before it, so that there are as many payouts as rows, however often they are imported.
 */
export function rowKeys(): (request: PayoutRequest) => ReturnType<typeof importKey> {
  const seen = new Map<string, number>();
  return (request) => {
    const duplicateKey = duplicateKeyOf(request);
    const name = hash("sha256", JSON.stringify(duplicateKey), "binary");
    const earlier = seen.get(name) ?? 0;
    seen.set(name, earlier + 1);
    return importKey(["payout", ...duplicateKey, earlier]);
  };
}
