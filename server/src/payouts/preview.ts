// Previews a payout: decides on it as its creation would, without a lock and without writing.

import type { Caller } from "../caller.ts";
import type { Runner } from "../db/connect.ts";
import type { RailDirectory } from "../rails/directory.ts";
import { decide, toPayoutCreation, toPayoutRefusal } from "./create.ts";
import { type ApprovalReason, noBalance, type PayoutRequest } from "./payout.ts";
import { listPayoutBalances } from "./queries.ts";

/** Why it would need approval. It is refused as its creation would be, except that duplicates are allowed. */
export async function previewPayout(
  { db, rails }: { db: Runner; rails: RailDirectory },
  caller: Caller,
  request: PayoutRequest,
): Promise<readonly ApprovalReason[]> {
  const { subaccountId } = caller;
  const { currency } = request;
  const state = (await listPayoutBalances(db, subaccountId)).get(currency) ?? noBalance;
  const book = {
    balances: new Map([[`${subaccountId} ${currency}`, state]]),
    duplicates: new Map(),
  };
  const creation = toPayoutCreation(caller, { ...request, allowDuplicate: true });
  const { outcomes, approvals } = await decide(db, rails, book, [creation]);
  const [outcome] = outcomes;
  if (typeof outcome === "object" && "refused" in outcome) throw toPayoutRefusal(outcome);
  return approvals.get(creation.id) ?? [];
}
