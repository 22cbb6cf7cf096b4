// Funds balances, once for each bank reference, with the event for subaccounts that requested it.

import { newId } from "../../platform/base/index.ts";
import type { Db, Tx } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { type BalanceFacts, balanceFunded, insertEvents } from "../../webhooks/events/index.ts";
import { findFundings, lockFundable } from "./fund-queries.ts";
import { type BalanceKey, ensureBalances, postTransfers } from "./queries.ts";

export type Funding = BalanceKey & {
  amount: bigint;
  /** Unique for the balance: a second funding with it changes nothing. */
  reference: string;
  /** The event names it instead of the reference, where the payer has given it. */
  depositReference?: string | undefined;
  who: string;
  atMs: number;
  /** The bank connection that has the money. Undefined: the books do not say which. */
  rail?: string | undefined;
  /** Undefined: a new id. */
  transferId?: string | undefined;
};

export type FundingOutcome =
  | { outcome: "funded"; transferId: string }
  /** The reference has funded this balance. Nothing was changed. */
  | { outcome: "funded-before"; transferId: string; amount: bigint }
  /** BALA107: the balance would exceed the largest amount. Nothing was changed. */
  | { outcome: "too-large" };

/** Bounds the size of one statement. */
const fundingsPerStatement = 5_000;

/**
 * Many fundings in one transaction, decided in their order; the outcomes have the same order. A funding that can't be made
 * does not affect the others. The balances stay locked until the commit, so it comes after every lock on payouts.
 */
export async function fundMany(tx: Tx, fundings: readonly Funding[]): Promise<FundingOutcome[]> {
  if (fundings.length === 0) return [];
  const keys = [...new Map(fundings.map((funding) => [keyOf(funding), funding])).values()];
  await ensureBalances(tx, keys);
  const locked = await lockFundable(tx, keys);
  const balances = new Map(
    locked.map((row) => [
      keyOf({ subaccountId: row.subaccount_id, currency: row.currency }),
      { total: BigInt(row.bank), available: BigInt(row.available), wantsEvent: row.wants_event },
    ]),
  );
  // Under the locks, so that no other transaction can use a reference in the meantime.
  const before = new Map(
    (await findFundings(tx, fundings)).map((row) => [
      onceKeyOf({ ...row, subaccountId: row.subaccount_id }),
      { transferId: row.id, amount: BigInt(row.amount) },
    ]),
  );

  const made: (Funding & { id: string })[] = [];
  const facts: BalanceFacts[] = [];
  const outcomes = fundings.map((funding): FundingOutcome => {
    const { amount, transferId = newId() } = funding;
    const earlier = before.get(onceKeyOf(funding));
    if (earlier) return { outcome: "funded-before", ...earlier };
    const balance = balances.get(keyOf(funding));
    if (!balance) throw new Error("a balance that was ensured must be there");
    if (balance.total + amount > limits.amountMax) return { outcome: "too-large" };
    balance.total += amount;
    balance.available += amount;
    before.set(onceKeyOf(funding), { transferId, amount });
    made.push({ ...funding, id: transferId });
    if (balance.wantsEvent) facts.push(factsOf(funding, transferId, balance.available));
    return { outcome: "funded", transferId };
  });

  for (const part of partsOf(made)) {
    await postTransfers(
      tx,
      part.map((funding) => ({ ...funding, kind: "fund" })),
    );
  }
  for (const part of partsOf(facts)) {
    await insertEvents(
      tx,
      part.map((fact) => {
        const { subaccountId, atMs } = fact;
        return { ...balanceFunded(fact), subaccountId, orderKey: subaccountId, atMs };
      }),
    );
  }
  return outcomes;
}

function factsOf(funding: Funding, transferId: string, available: bigint): BalanceFacts {
  const { subaccountId, currency, amount, reference, depositReference = reference, atMs } = funding;
  return {
    subaccountId,
    transferId,
    amount,
    currency,
    reference: depositReference,
    available,
    atMs,
  };
}

function keyOf({ subaccountId, currency }: BalanceKey): string {
  return `${subaccountId} ${currency}`;
}

function onceKeyOf(funding: BalanceKey & { reference: string }): string {
  return `${keyOf(funding)} ${funding.reference}`;
}

function partsOf<Item>(items: readonly Item[]): Item[][] {
  const count = Math.ceil(items.length / fundingsPerStatement);
  return Array.from({ length: count }, (_, index) =>
    items.slice(index * fundingsPerStatement, (index + 1) * fundingsPerStatement),
  );
}

/** The reference was used before, which ends the transaction of a single funding. */
class FundedBefore extends Error {
  readonly transferId: string;
  readonly amount: bigint;

  constructor({ transferId, amount }: { transferId: string; amount: bigint }) {
    super("the reference has funded this balance before");
    this.transferId = transferId;
    this.amount = amount;
  }
}

/** Returns the id of the transfer. Throws an error that `isFunded` recognizes where the reference was used before. */
export async function fund(tx: Tx, funding: Funding): Promise<string> {
  const [made] = await fundMany(tx, [funding]);
  if (made?.outcome === "funded") return made.transferId;
  throw made?.outcome === "funded-before" ? new FundedBefore(made) : new Refusal("BALA107");
}

export function isFunded(error: unknown): error is FundedBefore {
  return error instanceof FundedBefore;
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
    const { transferId, amount } = error;
    return amount === funding.amount
      ? { outcome: "funded-before", transferId }
      : { outcome: "other-amount", amount };
  }
}
