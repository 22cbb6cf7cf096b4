// Puts money into a subaccount's purse, once for each reference of the bank.

import { type Db, isUniqueViolation, type Tx } from "../db/connect.ts";
import { newId } from "../ids.ts";
import { limits } from "../limits.ts";
import { Refusal } from "../refusals/refusals.ts";
import {
  type BalanceKey,
  ensureBalances,
  findFunding,
  lockTotal,
  postTransfers,
} from "./queries.ts";

export type Funding = BalanceKey & { amount: bigint; reference: string; who: string; atMs: number };

/** The id of the transfer. Throws what `isFunded` knows where the reference has funded this purse before. */
export async function fund(tx: Tx, funding: Funding): Promise<string> {
  const id = newId();
  await ensureBalances(tx, [funding]);
  if ((await lockTotal(tx, funding)) + funding.amount > limits.amountMax) {
    throw new Refusal("BALA107");
  }
  await postTransfers(tx, [{ ...funding, id, kind: "fund" }]);
  return id;
}

export function isFunded(error: unknown): boolean {
  return isUniqueViolation(error, "ledger_funded_once");
}

export type Funded =
  | { outcome: "funded" | "funded-before"; transferId: string }
  /** The reference stands for another amount: somebody has made a mistake. */
  | { outcome: "other-amount"; amount: bigint };

/** Safe to repeat: nothing moves where the reference has funded the purse before. */
export async function fundOnce(db: Db, funding: Funding): Promise<Funded> {
  try {
    const transferId = await db.transaction((tx) => fund(tx, funding));
    return { outcome: "funded", transferId };
  } catch (error) {
    if (!isFunded(error)) throw error;
    const before = await findFunding(db, funding, funding.reference);
    if (!before) throw error;
    const amount = BigInt(before.amount);
    return amount === funding.amount
      ? { outcome: "funded-before", transferId: before.id }
      : { outcome: "other-amount", amount };
  }
}
