// The SQL of the overview's figures by time. It reads roll-ups, never payouts.

import { type Runner, statement } from "../../../platform/db/index.ts";
import { attemptRollups } from "../rollups/delivery-queries.ts";
import { eachSql, postingBounds, settlingBounds } from "../rollups/histogram.ts";
import type { Piece } from "../rollups/time-ranges.ts";

const pieces = `unnest($2::int[], $3::int[], $4::bigint[], $5::bigint[]) as piece(bucket, span_ms, from_ms, to_ms)`;
// One short scan of the key per piece. With a plain join, PostgreSQL would compare every time range with every piece.
const ofPiece = (table: string, { columns = "*", condition = "true" } = {}) => `lateral (
     select ${columns} from ${table} t
     where t.subaccount_id = $1 and t.span_ms = piece.span_ms and t.start_ms >= piece.from_ms
       and t.start_ms < piece.to_ms and ${condition}
     offset 0
   ) t`;

function arraysOf(list: readonly Piece[]): number[][] {
  return [
    list.map(({ bucket }) => bucket),
    list.map(({ spanMs }) => spanMs),
    list.map(({ fromMs }) => fromMs),
    list.map(({ toMs }) => toMs),
  ];
}

export type PayoutRollup = {
  bucket: number;
  currency: string;
  created: string;
  paid: string;
  paid_amount: string;
  returned: string;
  returned_amount: string;
  failed: string;
  out: string;
  out_amount: string;
  took: number[];
};

const summed = [
  ...["created", "paid", "paid_amount", "returned", "returned_amount", "failed", "out"],
  "out_amount",
];

const payouts = statement<PayoutRollup>(
  "overview-payouts",
  `select piece.bucket, t.currency, ${summed.map((name) => `sum(t.${name})::bigint as ${name}`).join(", ")},
          ${eachSql(settlingBounds, (place) => `sum(t.took[${place}])::int`)} as took
   from ${pieces} cross join ${ofPiece("payout_rollup")}
   group by piece.bucket, t.currency`,
);

export function listPayoutRollups(
  db: Runner,
  subaccountId: string,
  list: readonly Piece[],
): Promise<PayoutRollup[]> {
  return db.run(payouts, [subaccountId, ...arraysOf(list)]);
}

type FailureRollup = { cause: string; cause_code: string; failed: string };

const causes = statement<FailureRollup>(
  "overview-causes",
  `select t.cause, t.cause_code, sum(t.failed)::bigint as failed
   from ${pieces} cross join ${ofPiece("payout_failure_rollup", {
     columns: "t.cause, t.cause_code, t.failed",
     condition: "($6::text is null or t.currency = $6)",
   })}
   group by t.cause, t.cause_code order by 3 desc, 1, 2 limit $7`,
);

/** The most frequent first. */
export function listFailureRollups(
  db: Runner,
  { subaccountId, currency }: { subaccountId: string; currency: string | undefined },
  list: readonly Piece[],
  limit: number,
): Promise<FailureRollup[]> {
  return db.run(causes, [subaccountId, ...arraysOf(list), currency ?? null, limit]);
}

export type DeliveryRollup = {
  bucket: number;
  ok: string;
  retried: string;
  failed: string;
  took: number[];
};

const deliveries = statement<DeliveryRollup>(
  "overview-deliveries",
  `select piece.bucket, sum(t.ok)::bigint as ok, sum(t.retried)::bigint as retried,
          sum(t.failed)::bigint as failed, ${eachSql(postingBounds, (place) => `sum(t.took[${place}])::int`)} as took
   from ${pieces} cross join ${ofPiece("delivery_rollup")}
   group by piece.bucket`,
);

export function listDeliveryRollups(
  db: Runner,
  subaccountId: string,
  list: readonly Piece[],
): Promise<DeliveryRollup[]> {
  return db.run(deliveries, [subaccountId, ...arraysOf(list)]);
}

export type DeliveryCounts = Omit<DeliveryRollup, "took">;

const deliveryCounts = statement<DeliveryCounts>(
  "overview-delivery-counts",
  `select piece.bucket, sum(t.ok)::bigint as ok, sum(t.retried)::bigint as retried, sum(t.failed)::bigint as failed
   from ${pieces} cross join ${ofPiece("delivery_rollup", { columns: "t.ok, t.retried, t.failed" })}
   group by piece.bucket`,
);

/** Without response times, which take longer to add up for many buckets. */
export function listDeliveryCounts(
  db: Runner,
  subaccountId: string,
  list: readonly Piece[],
): Promise<DeliveryCounts[]> {
  return db.run(deliveryCounts, [subaccountId, ...arraysOf(list)]);
}

const latest = statement<DeliveryRollup>(
  "overview-deliveries-latest",
  `select width_bucket(ms_of_id(id), $3::bigint[]) - 1 as bucket, ${attemptRollups}
   from delivery_attempt
   where subaccount_id = $1 and id >= $2 and ms_of_id(id) >= ($3::bigint[])[1]
   group by 1`,
);

/** Attempts from this id on, which are not in the roll-ups yet. `startsMs`: the start of each bucket. */
export function countLatestDeliveries(
  db: Runner,
  subaccountId: string,
  { fromId, startsMs }: { fromId: string; startsMs: readonly number[] },
): Promise<DeliveryRollup[]> {
  return db.run(latest, [subaccountId, fromId, startsMs]);
}

export type OverviewBalanceRow = {
  currency: string;
  transfers: string;
  number: string;
  latest_ms: string;
  in_flight: string;
  available: string;
  held: string;
  clearing: string;
};

const balances = statement<OverviewBalanceRow>(
  "overview-balances",
  `select b.currency, b.transfers, b.available, b.held, b.clearing, coalesce(c.number, 0) as number,
          coalesce(c.latest_ms, 0) as latest_ms, coalesce(c.in_flight, 0) as in_flight
   from ledger_balance b
   left join rollup_cursor c on c.subaccount_id = b.subaccount_id and c.currency = b.currency
   where b.subaccount_id = $1 order by b.transfers desc, b.currency`,
);

/** The balance of each currency and the progress of its roll-ups, busiest first. */
export function listOverviewBalances(
  db: Runner,
  subaccountId: string,
): Promise<OverviewBalanceRow[]> {
  return db.run(balances, [subaccountId]);
}
