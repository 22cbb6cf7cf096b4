// The SQL of a hit as a case: the entry of the list, and the payouts of the receiver that are on hold.

import { detailsBySql, type HoldReason } from "../../../../money/payouts/index.ts";
import type { ListEntry } from "../../../../people/list-files/index.ts";
import type { ReceiverKey } from "../../../../people/receivers/index.ts";
import type { HitRow } from "../../../../people/screening/index.ts";
import { type Runner, statement } from "../../../../platform/db/index.ts";
import { limits } from "../../../../platform/limits/index.ts";

const findEntryOf = statement<{ entry: ListEntry }>(
  "screening-list-entry-of-hit",
  `select entry from screening_entry where list = $1 and key = $2 and hash = $3 order by from_set desc limit 1`,
);

/** The entry as it was when the hit was opened. */
export async function findListEntry(
  db: Runner,
  { list, entry_key, entry_hash }: Pick<HitRow, "list" | "entry_key" | "entry_hash">,
): Promise<ListEntry | undefined> {
  return (await db.run(findEntryOf, [list, entry_key, entry_hash]))[0]?.entry;
}

export type HeldRow = {
  id: string;
  amount: string;
  currency: string;
  reference: string;
  created_by: string;
  details_by: string[];
  since_ms: string;
  reasons: HoldReason[];
};

const heldOf = statement<HeldRow>(
  "review-held-payouts",
  `select p.id, p.amount, p.currency, p.reference, p.created_by, ${detailsBySql} as details_by, h.since_ms, h.reasons
   from receiver_account a
   cross join lateral (
     select * from payout p where p.subaccount_id = $1 and p.account_id = a.id and p.status = 'pending'
       and p.stage = 'on_hold'
   ) p
   join payout_hold h on h.subaccount_id = p.subaccount_id and h.payout_id = p.id and h.decision is null
   where a.subaccount_id = $1 and a.receiver_id = $2 order by p.id limit ${limits.receiverShownMax}`,
);

/** The payouts of a receiver that are on hold, oldest first. */
export function listHeldPayouts(db: Runner, { subaccountId, id }: ReceiverKey): Promise<HeldRow[]> {
  return db.run(heldOf, [subaccountId, id]);
}
