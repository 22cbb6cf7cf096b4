// Movements: the transfers that change a subaccount's money as a whole. A statement has one line for each. Pure.

import { type Account, type Kind, postings } from "./ledger.ts";

/**
 * The money of a subaccount, by where it is. Their sum is the balance of a statement, and of the console's
 * reconciliation. A transfer between two of them, such as a hold, is no movement: a payout leaves the balance when the
 * bank has paid it.
 */
export const ownAccounts: readonly Account[] = ["available", "held", "clearing", "returns"];

/** 1: the balance grows by the amount. -1: it shrinks by it. 0: it stays. */
export function movementSign(kind: Kind): -1 | 0 | 1 {
  const [debit, credit] = postings[kind];
  const [taken, given] = [debit, credit].map((account) => ownAccounts.includes(account));
  if (taken === given) return 0;
  return given ? 1 : -1;
}

const allKinds = Object.keys(postings) as Kind[];

/** The kinds of movements, in and out. */
export const movementKinds = {
  in: allKinds.filter((kind) => movementSign(kind) === 1),
  out: allKinds.filter((kind) => movementSign(kind) === -1),
};

const descriptions: Partial<Record<Kind, string>> = {
  fund: "Funding",
  settle: "Payout",
  return: "Payout returned",
  fee: "Fee",
  fee_refund: "Fee refunded",
  reversal: "Reversal of a funding",
  suspend: "Money of an unknown owner",
  unsuspend: "Money of an unknown owner, assigned or sent back",
};

/** A kind without words of its own is shown by its name. */
export function movementText(kind: Kind): string {
  return (
    descriptions[kind] ?? kind.replaceAll("_", " ").replace(/^./, (first) => first.toUpperCase())
  );
}
