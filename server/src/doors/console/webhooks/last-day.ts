// Deliveries of the last 24 hours, by hour, from the roll-ups.

import { firstIdOf } from "../../../platform/base/index.ts";
import type { Runner } from "../../../platform/db/index.ts";
import { countLatestDeliveries, listDeliveryRollups } from "../overview/queries.ts";
import { webhookFigures } from "../overview/webhooks.ts";
import { findDeliveryCursor } from "../rollups/delivery-queries.ts";
import { bucketsOf, piecesOf } from "../rollups/time-ranges.ts";
import type { LastDay } from "./schema.ts";

export async function findLastDay(
  db: Runner,
  subaccountId: string,
  nowMs: number,
): Promise<LastDay> {
  const hours = bucketsOf("24h", nowMs, "UTC");
  const startsMs = hours.map(({ fromMs }) => fromMs);
  const fromId = (await findDeliveryCursor(db, subaccountId)) ?? firstIdOf(startsMs[0] ?? 0);
  const { tile, plot } = webhookFigures(
    [
      ...(await listDeliveryRollups(db, subaccountId, hours.flatMap(piecesOf))),
      ...(await countLatestDeliveries(db, subaccountId, { fromId, startsMs })),
    ],
    hours.length,
  );
  return { ...tile, hours: plot.map((hour, index) => ({ from: startsMs[index] ?? 0, ...hour })) };
}
