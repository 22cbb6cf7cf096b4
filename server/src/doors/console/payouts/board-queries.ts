// The SQL of the board of payouts. Counts stop at a bound, and only what was counted to its end is added up.

import type { Stage } from "../../../money/payouts/index.ts";
import { type Runner, statement } from "../../../platform/db/index.ts";

export type StageCount = {
  stage: Stage;
  currency: string;
  /** At most one above the bound. */
  count: number;
  oldest_id: string;
};

const countStages = statement<StageCount>(
  "console-board-counts",
  // One range of the index per stage and currency. The oldest is its first entry.
  `select s.stage, b.currency, p.count, p.oldest_id
   from ledger_balance b cross join unnest($2::text[]) as s(stage) cross join lateral (
     select count(*)::int as count, (array_agg(p.id))[1] as oldest_id from (
       select p.id from payout p
       where p.subaccount_id = $1 and p.currency = b.currency and p.stage = s.stage order by p.id limit $3
     ) p
   ) p
   where b.subaccount_id = $1 and p.count > 0`,
);

/** Counts the payouts of each stage and currency, up to `most`. */
export function countByStage(
  db: Runner,
  { subaccountId, stages, most }: { subaccountId: string; stages: readonly Stage[]; most: number },
): Promise<StageCount[]> {
  return db.run(countStages, [subaccountId, stages, most]);
}

type StageSum = { stage: Stage; currency: string; amount: string };

const sumStages = statement<StageSum>(
  "console-board-sums",
  `select r.stage, r.currency, p.amount
   from unnest($2::text[], $3::text[]) as r(stage, currency) cross join lateral (
     select sum(p.amount) as amount from (
       select coalesce(p.sent_amount, p.amount) as amount from payout p
       where p.subaccount_id = $1 and p.currency = r.currency and p.stage = r.stage order by p.id limit $4
     ) p
   ) p`,
);

/** What goes to the bank, for stages and currencies with at most `most` payouts. */
export function sumByStage(
  db: Runner,
  {
    subaccountId,
    pairs,
    most,
  }: { subaccountId: string; pairs: readonly StageCount[]; most: number },
): Promise<StageSum[]> {
  const stages = pairs.map(({ stage }) => stage);
  const currencies = pairs.map(({ currency }) => currency);
  return db.run(sumStages, [subaccountId, stages, currencies, most]);
}

const oldestEnded = statement<{ stage: Stage; id: string }>(
  "console-board-oldest",
  `select s.stage, p.id
   from ledger_balance b cross join unnest($2::text[]) as s(stage) cross join lateral (
     select p.id from payout p
     where p.subaccount_id = $1 and p.currency = b.currency and p.stage = s.stage and p.id >= $3 and p.id < $4
     order by p.id limit 1
   ) p
   where b.subaccount_id = $1`,
);

/** The oldest payout of each stage and currency that was created in a time range. */
export function listOldestOfStages(
  db: Runner,
  subaccountId: string,
  { stages, fromId, toId }: { stages: readonly Stage[]; fromId: string; toId: string },
): Promise<{ stage: Stage; id: string }[]> {
  return db.run(oldestEnded, [subaccountId, stages, fromId, toId]);
}

export type EndedRollup = {
  currency: string;
  paid: string;
  paid_amount: string;
  returned: string;
  returned_amount: string;
  failed: string;
  failed_amount: string;
};
const summed = ["paid", "paid_amount", "returned", "returned_amount", "failed", "failed_amount"];

const ended = statement<EndedRollup>(
  "console-board-ended",
  `select t.currency, ${summed.map((name) => `sum(t.${name})::bigint as ${name}`).join(", ")}
   from unnest($2::int[], $3::bigint[], $4::bigint[]) as piece(span_ms, from_ms, to_ms) cross join lateral (
     select * from payout_rollup t
     where t.subaccount_id = $1 and t.span_ms = piece.span_ms and t.start_ms >= piece.from_ms
       and t.start_ms < piece.to_ms
     offset 0
   ) t
   group by t.currency`,
);

/** What became of the payouts that were created in these time ranges, from the roll-ups. */
export function sumEnded(
  db: Runner,
  subaccountId: string,
  pieces: readonly { spanMs: number; fromMs: number; toMs: number }[],
): Promise<EndedRollup[]> {
  return db.run(ended, [
    subaccountId,
    pieces.map(({ spanMs }) => spanMs),
    pieces.map(({ fromMs }) => fromMs),
    pieces.map(({ toMs }) => toMs),
  ]);
}
