// A user decides about a suspense item, with a reason.

import type { Actor } from "../../audit/actor.ts";
import { audited } from "../../audit/audited.ts";
import {
  closeSuspense,
  type Deciding,
  fundBySuspense,
  giveSuspenseToCompany,
  isMoneySpent,
  matchSuspense,
  returnSuspense,
  splitSuspense,
  undoSuspense,
} from "../../banks/suspense.ts";
import { findSuspense } from "../../banks/suspense-queries.ts";
import type { Tx } from "../../db/connect.ts";
import { Refusal } from "../../refusals/refusals.ts";
import type { WriteParts } from "../write-parts.ts";

export type SuspenseDecision =
  | { act: "match"; payoutId: string }
  | { act: "split"; amounts: readonly number[] }
  | { act: "fund"; subaccountId: string }
  | { act: "company" | "return" | "close" | "undo" };

/** Returns the item's status. */
export async function decideSuspense(
  { db, seal, clock }: WriteParts,
  actor: Actor,
  { id, reason }: { id: string; reason: string },
  decision: SuspenseDecision,
): Promise<string> {
  const deciding: Deciding = { id, reason, who: actor.who, atMs: clock() };
  const { act, ...facts } = decision;
  try {
    await audited({ db, seal }, actor).transaction(
      {
        action: `suspense.${act}`,
        object: { kind: "bank_suspense_item", id },
        after: { reason, ...facts },
      },
      (tx) => run(tx, deciding, decision),
    );
  } catch (error) {
    throw isMoneySpent(error) ? new Refusal("BANK420") : error;
  }
  return (await findSuspense(db, id))?.status ?? "";
}

async function run(tx: Tx, deciding: Deciding, decision: SuspenseDecision): Promise<void> {
  switch (decision.act) {
    case "match":
      await matchSuspense(tx, decision.payoutId, deciding);
      return;
    case "split":
      await splitSuspense(tx, decision.amounts.map(BigInt), deciding);
      return;
    case "fund":
      await fundBySuspense(tx, decision.subaccountId, deciding);
      return;
    case "company":
      return giveSuspenseToCompany(tx, deciding);
    case "return":
      return returnSuspense(tx, deciding);
    case "close":
      return closeSuspense(tx, deciding);
    case "undo":
      return undoSuspense(tx, deciding);
  }
}
