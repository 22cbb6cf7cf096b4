// The SQL of the payout worker: it claims payouts that are due, and postpones those that wait.

import { type HolderColumns, holderColumns } from "../../people/person/index.ts";
import {
  claimValues,
  type DueClaim,
  dueInTurns,
  dueTurns,
  lockedInOrder,
  type Runner,
  rowInIndex,
  statement,
} from "../../platform/db/index.ts";
import { isInScreeningReview } from "./hold-queries.ts";
import { type PayoutRow, payoutColumns } from "./queries.ts";

export type ClaimedPayout = PayoutRow &
  HolderColumns & {
    subaccount_id: string;
    attempts: number;
    /** The end of the lease. A step is recorded only while the lease is valid. */
    due_at_ms: string;
    country: string;
    account_number_sealed: Buffer;
    person_key: Buffer | null;
    bsb: string;
    bank_code: string;
    receiver_status: string;
    kyc_status: string;
    account_status: string;
    /** A screening hit of the receiver is open, or was confirmed. */
    is_in_review: boolean;
  };

const duePayouts = { table: "payout", queue: "rail", dueAt: "due_at_ms" } as const;

const claimMany = statement<ClaimedPayout>(
  "payouts-claim",
  // If two processes see the same payout, only one claims it: for the other it is no longer due. It covers all
  // subaccounts, because the worker serves all; each row has its subaccount_id.
  `with ${dueInTurns(duePayouts)}, claimed as (
     update payout p set due_at_ms = $3, attempts = p.attempts + 1
     from locked
     where p.ctid = locked.place and p.due_at_ms <= $2
     returning p.*
   )
   select ${payoutColumns}, p.subaccount_id, p.attempts, p.due_at_ms, d.country, d.account_number_sealed,
          r.person_key,
          d.bsb, d.bank_code, ${holderColumns}, r.first_name, r.last_name, r.status as receiver_status, r.kyc_status,
          a.status as account_status, ${isInScreeningReview("p")} as is_in_review
   from claimed p
   cross join ${rowInIndex("bank_details d", ["d.subaccount_id", "d.account_id", "d.version"], ["p.subaccount_id", "p.account_id", "p.account_version"])}
   cross join ${rowInIndex("receiver r", ["r.subaccount_id", "r.id"], ["p.subaccount_id", "p.receiver_id"])}
   cross join ${rowInIndex("receiver_account a", ["a.subaccount_id", "a.id"], ["p.subaccount_id", "p.account_id"])}
   order by p.id`,
  { followsIndexes: true },
);

export function claimPayouts(
  db: Runner,
  claim: DueClaim & { rail: string },
): Promise<ClaimedPayout[]> {
  return db.run(claimMany, claimValues(claim.rail, claim));
}

export const payoutTurns = dueTurns("payouts-due-subaccounts", duePayouts);

const postponeMany = statement<never>(
  "payouts-postpone",
  `with input as materialized (
     select * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[], $5::text[])
       as input(subaccount_id, id, lease_ms, due_at_ms, provider_reference)
   ), ${lockedInOrder("payout", "input")}, no_longer_aside as (
     delete from payout_set_aside s using input
     where s.subaccount_id = input.subaccount_id and s.payout_id = input.id and input.provider_reference is not null
   )
   update payout p
   set due_at_ms = input.due_at_ms,
       provider_reference = coalesce(input.provider_reference, p.provider_reference)
   from input join locked using (subaccount_id, id)
   where p.subaccount_id = input.subaccount_id and p.id = input.id and p.due_at_ms = input.lease_ms`,
);

type Postponed = {
  payout: ClaimedPayout;
  dueAtMs: number | undefined;
  providerReference?: string;
};

/** Sets when each is due again; undefined: never. */
export async function postponePayouts(db: Runner, postponed: readonly Postponed[]): Promise<void> {
  await db.run(postponeMany, [
    postponed.map(({ payout }) => payout.subaccount_id),
    postponed.map(({ payout }) => payout.id),
    postponed.map(({ payout }) => payout.due_at_ms),
    postponed.map(({ dueAtMs }) => dueAtMs ?? null),
    postponed.map(({ providerReference }) => providerReference ?? null),
  ]);
}
