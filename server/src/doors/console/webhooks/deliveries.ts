// Delivery attempts of the last days by day and hour, and their response times, from the roll-ups.

import { type Clock, firstIdOf } from "../../../platform/base/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import { addUp } from "../overview/payouts.ts";
import {
  countLatestDeliveries,
  type DeliveryCounts,
  listDeliveryCounts,
  listDeliveryRollups,
} from "../overview/queries.ts";
import type { Rollups } from "../rollups/catch-up.ts";
import { findDeliveryCursor } from "../rollups/delivery-queries.ts";
import { postingBounds, quantile } from "../rollups/histogram.ts";
import { daysUntil, hourMs, type Period, piecesOf } from "../rollups/time-ranges.ts";
import type { Deliveries, DeliveriesQuery } from "./schema.ts";

const daysDefault = 14;

type DeliveryParts = { db: Db; clock: Clock; rollups: Rollups };

export async function readDeliveries(
  { db, clock, rollups }: DeliveryParts,
  subaccountId: string,
  { days: asked, time_zone = "UTC" }: DeliveriesQuery,
): Promise<Deliveries> {
  await rollups.catchUp(subaccountId);
  const nowMs = clock();
  const days = daysUntil(nowMs, time_zone, asked === undefined ? daysDefault : Number(asked));
  const hours = days.flatMap(hoursOf);
  const startsMs = hours.map(({ fromMs }) => fromMs);
  const found = await db.transaction(
    async (tx) => {
      const fromId = (await findDeliveryCursor(tx, subaccountId)) ?? firstIdOf(startsMs[0] ?? 0);
      const latest = await countLatestDeliveries(tx, subaccountId, { fromId, startsMs });
      const whole = { fromMs: startsMs[0] ?? 0, toMs: days.at(-1)?.toMs ?? 0 };
      const times = await listDeliveryRollups(tx, subaccountId, piecesOf(whole, 0));
      const counts = await listDeliveryCounts(tx, subaccountId, hours.flatMap(piecesOf));
      return { counts: [...counts, ...latest], times: [...times, ...latest] };
    },
    { snapshot: true },
  );
  return {
    as_of: nowMs,
    days: days.map(({ fromMs, toMs }) => ({ from: fromMs, to: toMs })),
    hours: hoursWithAttempts(hours, found.counts),
    latency: latencyOf(addUp(found.times.map(({ took }) => took))),
  };
}

/** A day has 24 hours, or 23 or 25 when the clocks change. */
function hoursOf({ fromMs, toMs }: Period): Period[] {
  const count = Math.ceil((toMs - fromMs) / hourMs);
  return Array.from({ length: count }, (_, place) => ({
    fromMs: fromMs + place * hourMs,
    toMs: Math.min(fromMs + (place + 1) * hourMs, toMs),
  }));
}

/** Without the hours that had no attempts. */
function hoursWithAttempts(
  hours: readonly Period[],
  found: readonly DeliveryCounts[],
): Deliveries["hours"] {
  const byHour = Map.groupBy(found, ({ bucket }) => bucket);
  return hours.flatMap(({ fromMs }, place) => {
    const rollups = byHour.get(place) ?? [];
    const sum = (name: "ok" | "retried" | "failed") =>
      rollups.reduce((total, rollup) => total + Number(rollup[name]), 0);
    const [ok, retried, failed] = [sum("ok"), sum("retried"), sum("failed")];
    return ok + retried + failed === 0 ? [] : [{ from: fromMs, ok, retried, failed }];
  });
}

function latencyOf(counts: readonly number[]): Deliveries["latency"] {
  const at = (share: number) => quantile(counts, postingBounds, share);
  return {
    bars: counts.map((count, place) => ({
      from_ms: place === 0 ? 0 : (postingBounds[place - 1] ?? 0),
      to_ms: postingBounds[place] ?? null,
      count,
    })),
    p50_ms: at(0.5),
    p95_ms: at(0.95),
    p99_ms: at(0.99),
  };
}
