// The SQL of payouts that are resolved by hand.

import { type Runner, statement, type Tx } from "../../platform/db/index.ts";
import type { PayoutKey } from "./list-queries.ts";
import { type PayoutRow, payoutColumns } from "./queries.ts";

export type PayoutToResolve = PayoutRow & { due_at_ms: string | null; is_set_aside: boolean };

const lockOne = statement<PayoutToResolve>(
  "payout-lock-to-resolve",
  `select ${payoutColumns}, p.due_at_ms,
          exists (select from payout_set_aside s where s.subaccount_id = p.subaccount_id and s.payout_id = p.id)
            as is_set_aside
   from payout p where p.subaccount_id = $1 and p.id = $2 for update of p`,
);

export async function lockPayoutToResolve(
  tx: Tx,
  { subaccountId, id }: PayoutKey,
): Promise<PayoutToResolve | undefined> {
  return (await tx.run(lockOne, [subaccountId, id]))[0];
}

type ProposedResolution = {
  outcome: "paid" | "rejected";
  reason: string;
  proposed_by: string;
  proposed_at_ms: string;
};

const findOne = statement<ProposedResolution>(
  "payout-resolution",
  `select outcome, reason, proposed_by, proposed_at_ms from payout_resolution
   where subaccount_id = $1 and payout_id = $2`,
);

/** A resolution that one user has proposed and no second user has confirmed. */
export async function findResolution(
  db: Runner,
  { subaccountId, id }: PayoutKey,
): Promise<ProposedResolution | undefined> {
  return (await db.run(findOne, [subaccountId, id]))[0];
}

export type WaitingResolution = ProposedResolution & {
  subaccount_id: string;
  payout_id: string;
  amount: string;
  currency: string;
  reference: string;
  receiver_id: string;
  receiver_name: string;
};

const listAll = statement<WaitingResolution>(
  "payout-resolutions",
  // Over all subaccounts, or of the one in $1. They are few: a sent payout is ended by hand when the bank is silent.
  `select s.subaccount_id, s.payout_id, s.outcome, s.reason, s.proposed_by, s.proposed_at_ms, p.amount, p.currency,
          p.reference, p.receiver_id, r.first_name || ' ' || r.last_name as receiver_name
   from payout_resolution s
   join payout p on p.subaccount_id = s.subaccount_id and p.id = s.payout_id
   join receiver r on r.subaccount_id = p.subaccount_id and r.id = p.receiver_id
   where $1::uuid is null or s.subaccount_id = $1 order by s.proposed_at_ms limit $2`,
);

/** The outcomes that one user has proposed, oldest first. */
export function listResolutions(
  db: Runner,
  { subaccountId, limit }: { subaccountId: string | undefined; limit: number },
): Promise<WaitingResolution[]> {
  return db.run(listAll, [subaccountId ?? null, limit]);
}

const upsertOne = statement<never>(
  "payout-resolution-propose",
  `insert into payout_resolution (subaccount_id, payout_id, outcome, reason, proposed_by, proposed_at_ms)
   values ($1, $2, $3, $4, $5, $6)
   on conflict (subaccount_id, payout_id) do update
   set outcome = excluded.outcome, reason = excluded.reason, proposed_by = excluded.proposed_by,
       proposed_at_ms = excluded.proposed_at_ms`,
);

export async function saveResolution(
  tx: Tx,
  { subaccountId, id }: PayoutKey,
  proposed: Omit<ProposedResolution, "proposed_at_ms"> & { atMs: number },
): Promise<void> {
  const { outcome, reason, proposed_by, atMs } = proposed;
  await tx.run(upsertOne, [subaccountId, id, outcome, reason, proposed_by, atMs]);
}

const deleteOne = statement<never>(
  "payout-resolution-delete",
  "delete from payout_resolution where subaccount_id = $1 and payout_id = $2",
);

export async function deleteResolution(tx: Tx, { subaccountId, id }: PayoutKey): Promise<void> {
  await tx.run(deleteOne, [subaccountId, id]);
}
