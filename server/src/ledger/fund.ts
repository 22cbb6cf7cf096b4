// Funds a subaccount's balance, once for each bank reference.

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

type Funding = BalanceKey & { amount: bigint; reference: string; who: string; atMs: number };

/** Returns the id of the transfer. Throws an error that `isFunded` recognizes where the reference was used before. */
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

type Funded =
  | { outcome: "funded" | "funded-before"; transferId: string }
  /** The reference was used before with another amount, which is a mistake. */
  | { outcome: "other-amount"; amount: bigint };

/** Safe to repeat: a reference funds a balance once. */
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
