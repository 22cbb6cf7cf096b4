// The figures of deliveries for tile and plot, from roll-ups by bucket. Pure.

import { postingBounds, quantile } from "../rollups/histogram.ts";
import { addUp } from "./payouts.ts";
import type { DeliveryRollup } from "./queries.ts";
import type { Overview } from "./schema.ts";

type Figures = { tile: Overview["tiles"]["webhooks"]; plot: Overview["plots"]["webhooks"] };

export function webhookFigures(rollups: readonly DeliveryRollup[], buckets: number): Figures {
  const sum = (list: readonly DeliveryRollup[], pick: (rollup: DeliveryRollup) => string) =>
    list.reduce((total, rollup) => total + Number(pick(rollup)), 0);
  const of = (list: readonly DeliveryRollup[]) => ({
    ok: sum(list, ({ ok }) => ok),
    retried: sum(list, ({ retried }) => retried),
    failed: sum(list, ({ failed }) => failed),
    p95_ms: quantile(addUp(list.map(({ took }) => took)), postingBounds, 0.95),
  });
  const { ok, retried, failed, p95_ms } = of(rollups);
  return {
    tile: { attempts: ok + retried + failed, delivered: ok + retried, p95_ms },
    plot: Array.from({ length: buckets }, (_, bucket) =>
      of(rollups.filter((rollup) => rollup.bucket === bucket)),
    ),
  };
}
