// The SQL of payouts that are set aside.

import { lockedInOrder, type Runner, statement } from "../../platform/db/index.ts";
import type { PayoutKey } from "./list-queries.ts";
import type { ClaimedPayout } from "./worker-queries.ts";

const setAsideMany = statement<never>(
  "payouts-set-aside",
  // Compare and set on the lease, as every step does. A payout that was set aside before keeps its time.
  `with input as materialized (
     select * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[], $5::text[])
       as input(subaccount_id, id, lease_ms, due_at_ms, reason)
   ), ${lockedInOrder("payout", "input")}, postponed as (
     update payout p set due_at_ms = input.due_at_ms
     from input join locked using (subaccount_id, id)
     where p.subaccount_id = input.subaccount_id and p.id = input.id and p.due_at_ms = input.lease_ms
     returning p.subaccount_id, p.id, input.reason
   )
   insert into payout_set_aside (subaccount_id, payout_id, since_ms, reason)
   select subaccount_id, id, $6, reason from postponed order by subaccount_id, id
   on conflict (subaccount_id, payout_id) do update set reason = excluded.reason`,
);

type SetAside = { payout: ClaimedPayout; dueAtMs: number; reason: string };

export async function setPayoutsAside(
  db: Runner,
  payouts: readonly SetAside[],
  atMs: number,
): Promise<void> {
  await db.run(setAsideMany, [
    payouts.map(({ payout }) => payout.subaccount_id),
    payouts.map(({ payout }) => payout.id),
    payouts.map(({ payout }) => payout.due_at_ms),
    payouts.map(({ dueAtMs }) => dueAtMs),
    payouts.map(({ reason }) => reason),
    atMs,
  ]);
  db.afterCommit(({ changed }) => {
    for (const { payout } of payouts) changed(payout.subaccount_id, "payouts");
  });
}

type SetAsideRow = { reason: string; since_ms: string };

const findOne = statement<SetAsideRow>(
  "payout-set-aside",
  "select reason, since_ms from payout_set_aside where subaccount_id = $1 and payout_id = $2",
);

export async function findSetAside(
  db: Runner,
  { subaccountId, id }: PayoutKey,
): Promise<SetAsideRow | undefined> {
  return (await db.run(findOne, [subaccountId, id]))[0];
}

const listMany = statement<SetAsideRow & { payout_id: string; stage: string }>(
  "payouts-set-aside-list",
  `select s.payout_id, p.stage, s.since_ms, s.reason
   from payout_set_aside s join payout p on p.subaccount_id = s.subaccount_id and p.id = s.payout_id
   where s.subaccount_id = $1 order by s.payout_id limit $2`,
);

/** The oldest payout first. */
export function listSetAside(
  db: Runner,
  subaccountId: string,
  limit: number,
): Promise<(SetAsideRow & { payout_id: string; stage: string })[]> {
  return db.run(listMany, [subaccountId, limit]);
}

const countOfAll = statement<{ set_aside: number; unconfirmed: number }>(
  "payouts-set-aside-count",
  // Over all subaccounts, for the metrics of the installation.
  `select count(*)::int as set_aside,
          (count(*) filter (where p.stage = 'submitted' and p.provider_reference = ''))::int as unconfirmed
   from (select subaccount_id, payout_id from payout_set_aside limit $1) s
   join payout p on p.subaccount_id = s.subaccount_id and p.id = s.payout_id`,
);

/** Counted up to `most`. */
export async function countSetAside(
  db: Runner,
  most: number,
): Promise<{ setAside: number; unconfirmed: number }> {
  const [row] = await db.run(countOfAll, [most]);
  return { setAside: row?.set_aside ?? 0, unconfirmed: row?.unconfirmed ?? 0 };
}
