// Reverses a funding that was a mistake, by a new transfer. Transfers are never changed.

import { newId } from "../../platform/base/index.ts";
import { type Db, isUniqueViolation } from "../../platform/db/index.ts";
import { railOf } from "./ledger.ts";
import { findTransfer, postTransfers } from "./queries.ts";

type Reversal = {
  subaccountId: string;
  transferId: string;
  reason: string;
  who: string;
  atMs: number;
};

type Reversed =
  | { outcome: "reversed"; transferId: string; amount: bigint; currency: string }
  | { outcome: "unknown" | "not-a-funding" | "reversed-before" | "no-funds" };

export async function reverseFunding(db: Db, reversal: Reversal): Promise<Reversed> {
  const { subaccountId, transferId: reversesId, reason, who, atMs } = reversal;
  const found = await findTransfer(db, { subaccountId, id: reversesId });
  if (!found) return { outcome: "unknown" };
  if (found.kind !== "fund") return { outcome: "not-a-funding" };
  const { currency } = found;
  const amount = BigInt(found.amount);
  const id = newId();
  const rail = railOf(found.debit);
  const reference = reason;
  const transfer = { subaccountId, currency, amount, id, rail, reversesId, reference, who, atMs };
  try {
    await db.transaction((tx) => postTransfers(tx, [{ ...transfer, kind: "reversal" }]));
  } catch (error) {
    if (isUniqueViolation(error, "ledger_reversed_once")) return { outcome: "reversed-before" };
    if (isMoneySpent(error)) return { outcome: "no-funds" };
    throw error;
  }
  return { outcome: "reversed", transferId: id, amount, currency };
}

/** Money that was paid out meanwhile can't be taken back. */
export function isMoneySpent(error: unknown): boolean {
  return (error as { constraint?: string }).constraint === "ledger_available_not_below_zero";
}
