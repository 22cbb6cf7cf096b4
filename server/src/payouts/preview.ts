// Decides on a payout as its creation would, without a lock and without writing: for a user who reviews it first.

import type { Caller } from "../caller.ts";
import type { Runner } from "../db/connect.ts";
import type { RailDirectory } from "../rails/directory.ts";
import { decide, toPayoutCreation, toPayoutRefusal } from "./create.ts";
import { type ApprovalReason, noBalance, type PayoutRequest } from "./payout.ts";
import { listPayoutBalances } from "./queries.ts";

/** Why it would wait for approval. Refused as it would be, except that a duplicate is only found when it is made. */
export async function previewPayout(
  { db, rails }: { db: Runner; rails: RailDirectory },
  caller: Caller,
  wish: PayoutRequest,
): Promise<readonly ApprovalReason[]> {
  const { subaccountId } = caller;
  const { currency } = wish;
  const state = (await listPayoutBalances(db, subaccountId)).get(currency) ?? noBalance;
  const book = { purses: new Map([[`${subaccountId} ${currency}`, state]]), twins: new Map() };
  const creation = toPayoutCreation(caller, { ...wish, allowDuplicate: true });
  const { outcomes, approvals } = await decide(db, rails, book, [creation]);
  const [outcome] = outcomes;
  if (typeof outcome === "object" && "refused" in outcome) throw toPayoutRefusal(outcome);
  return approvals.get(creation.id) ?? [];
}
