// The SQL of the payout worker: it claims payouts that are due, and postpones those that wait.

import { lockedInOrder, type Runner, statement } from "../db/connect.ts";
import { claimValues, type DueClaim, dueInTurns, dueTurns } from "../db/due-turns.ts";
import { isInScreeningReview } from "./hold-queries.ts";
import { type PayoutRow, payoutColumns } from "./queries.ts";

export type ClaimedPayout = PayoutRow & {
  subaccount_id: string;
  attempts: number;
  /** The end of the lease. A step is recorded only while the lease is valid. */
  due_at_ms: string;
  country: string;
  account_number_sealed: Buffer;
  person_key: Buffer | null;
  bsb: string;
  bank_code: string;
  first_name: string;
  last_name: string;
  receiver_status: string;
  kyc_status: string;
  account_status: string;
  /** A screening hit of the receiver is open, or was confirmed. */
  is_in_review: boolean;
};

const duePayouts = { table: "payout", queue: "rail", dueAt: "due_at_ms" } as const;

const claimMany = statement<ClaimedPayout>(
  "payouts-claim",
  // Compare and set on the due time: if two processes see the same payout, only one claims it. It covers all
  // subaccounts, because the worker serves all; each row has its subaccount_id.
  `with ${dueInTurns(duePayouts)}, ${lockedInOrder("payout", "due")}, claimed as (
     update payout p set due_at_ms = $3, attempts = p.attempts + 1
     from due join locked using (subaccount_id, id)
     where p.subaccount_id = due.subaccount_id and p.id = due.id and p.due_at_ms = due.due_at_ms
     returning p.*
   )
   select ${payoutColumns}, p.subaccount_id, p.attempts, p.due_at_ms, d.country, d.account_number_sealed,
          r.person_key,
          d.bsb, d.bank_code, r.first_name, r.last_name, r.status as receiver_status, r.kyc_status,
          a.status as account_status, ${isInScreeningReview("p")} as is_in_review
   from claimed p
   join bank_details d on d.subaccount_id = p.subaccount_id and d.account_id = p.account_id
     and d.version = p.account_version
   join receiver r on r.subaccount_id = p.subaccount_id and r.id = p.receiver_id
   join receiver_account a on a.subaccount_id = p.subaccount_id and a.id = p.account_id
   order by p.id`,
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
