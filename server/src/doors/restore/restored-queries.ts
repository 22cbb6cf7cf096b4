// The newest things of an installation, to compare a restored copy with what callers and banks know.

import { type Runner, statement } from "../../platform/db/index.ts";

type NewestRow = { subaccount_id: string; id: string };

const newestPayout = statement<NewestRow>(
  "restored-newest-payout",
  `select s.id as subaccount_id, p.id from subaccount s
   cross join lateral (select id from payout where subaccount_id = s.id order by id desc limit 1) p
   order by p.id desc limit 1`,
);

const newestEvent = statement<NewestRow>(
  "restored-newest-event",
  `select s.id as subaccount_id, e.id from subaccount s
   cross join lateral (select id from event where subaccount_id = s.id order by id desc limit 1) e
   order by e.id desc limit 1`,
);

const unfinished = statement<{ stage: string; payouts: number; subaccounts: number }>(
  "restored-unfinished-payouts",
  `select stage, count(*)::int as payouts, count(distinct subaccount_id)::int as subaccounts
   from payout where stage in ('on_hold', 'awaiting_approval', 'queued', 'batched', 'submitted')
   group by stage order by stage`,
);

/** Payouts that the copy would send or ask the bank about. By stage. */
export async function countUnfinished(db: Runner): Promise<Record<string, number>> {
  const rows = await db.run(unfinished);
  return Object.fromEntries(rows.map(({ stage, payouts }) => [stage, payouts]));
}

/** Undefined: there is none. */
export async function findNewest(
  db: Runner,
): Promise<Record<"payout" | "event", NewestRow | undefined>> {
  const [payout] = await db.run(newestPayout);
  const [event] = await db.run(newestEvent);
  return { payout, event };
}
