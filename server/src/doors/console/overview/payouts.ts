// The figures of payouts for tiles and plots, from roll-ups by bucket and currency. Pure.

import { toSum } from "../../../platform/base/index.ts";
import { quantile, settlingBounds } from "../rollups/histogram.ts";
import { lately, latelyDays, today, yesterday } from "./buckets.ts";
import type { PayoutRollup } from "./queries.ts";
import type { Overview } from "./schema.ts";

type PayoutFigures = Pick<Overview["tiles"], "paid" | "failed"> &
  Pick<Overview["plots"], "volume" | "settling"> & {
    byStatus: Overview["plots"]["payouts"];
    /** The average amount paid per day, by currency. */
    paidADay: ReadonlyMap<string, bigint>;
  };

export function payoutFigures(
  rollups: readonly PayoutRollup[],
  { buckets, currencies }: { buckets: number; currencies: readonly string[] },
): PayoutFigures {
  const found = new Map(rollups.map((rollup) => [`${rollup.bucket} ${rollup.currency}`, rollup]));
  const of = (bucket: number, currency: string) => found.get(`${bucket} ${currency}`);
  const each = <Value>(value: (bucket: number) => Value) =>
    Array.from({ length: buckets }, (_, bucket) => value(bucket));
  const all = (bucket: number) =>
    currencies.map((currency) => of(bucket, currency)).filter((rollup) => rollup !== undefined);
  const count = (bucket: number, pick: (rollup: PayoutRollup) => number) =>
    all(bucket).reduce((sum, rollup) => sum + pick(rollup), 0);

  const failedIn = (bucket: number) => count(bucket, isFailed);
  return {
    paidADay: new Map(
      rollups
        .filter(({ bucket }) => bucket === lately)
        .map(({ currency, out_amount }) => [currency, BigInt(out_amount) / BigInt(latelyDays)]),
    ),
    paid: currencies.map((currency) => ({
      currency,
      count: Number(of(today, currency)?.out ?? 0),
      amount: amountOf(of(today, currency)?.out_amount),
      amount_before: amountOf(of(yesterday, currency)?.out_amount),
      spark: each((bucket) => amountOf(of(bucket, currency)?.out_amount)),
    })),
    failed: {
      count: each(failedIn).reduce((sum, failed) => sum + failed, 0),
      of: each((bucket) => count(bucket, ({ created }) => Number(created))).reduce(
        (sum, created) => sum + created,
        0,
      ),
      spark: each(failedIn),
    },
    byStatus: each((bucket) => ({
      pending: count(bucket, isPending),
      successful: count(bucket, isSuccessful),
      failed: failedIn(bucket),
    })),
    volume: currencies.map((currency) => ({
      currency,
      amounts: each((bucket) => successfulAmount(of(bucket, currency))),
    })),
    settling: each((bucket) => {
      const took = addUp(all(bucket).map((rollup) => rollup.took));
      return {
        count: took.reduce((sum, one) => sum + one, 0),
        p50_ms: quantile(took, settlingBounds, 0.5),
        p95_ms: quantile(took, settlingBounds, 0.95),
      };
    }),
  };
}

const isPending = ({ created, paid, failed }: PayoutRollup) =>
  Number(created) - Number(paid) - Number(failed);
const isSuccessful = ({ paid, returned }: PayoutRollup) => Number(paid) - Number(returned);
const isFailed = ({ failed, returned }: PayoutRollup) => Number(failed) + Number(returned);

function successfulAmount(rollup: PayoutRollup | undefined): number | string {
  return rollup ? toSum(BigInt(rollup.paid_amount) - BigInt(rollup.returned_amount)) : 0;
}

function amountOf(text: string | undefined): number | string {
  return toSum(BigInt(text ?? 0));
}

/** Adds up histograms with the same bounds. */
export function addUp(histograms: readonly (readonly number[])[]): number[] {
  const [first = [], ...others] = histograms;
  return first.map((count, place) =>
    others.reduce((sum, histogram) => sum + (histogram[place] ?? 0), count),
  );
}
