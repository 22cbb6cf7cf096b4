// Reads the overview from one snapshot of the roll-ups.

import { type Clock, firstIdOf, idTimeMs, toSum } from "../../../platform/base/index.ts";
import type { Db, Tx } from "../../../platform/db/index.ts";
import type { User } from "../../../tenants/roles/index.ts";
import type { Rollups } from "../rollups/catch-up.ts";
import { findDeliveryCursor } from "../rollups/delivery-queries.ts";
import { bucketsOf, type Period, piecesOf, type TimeRange } from "../rollups/time-ranges.ts";
import { listAttention } from "./attention.ts";
import { findOldestInFlight, hasPayouts } from "./attention-queries.ts";
import { daysBeside } from "./buckets.ts";
import { agesFrom, kycFunnel, kycTile } from "./kyc.ts";
import { countByState, countWaiting } from "./kyc-queries.ts";
import { payoutFigures } from "./payouts.ts";
import {
  countLatestDeliveries,
  listDeliveryRollups,
  listFailureRollups,
  listOverviewBalances,
  listPayoutRollups,
  type OverviewBalanceRow,
} from "./queries.ts";
import type { Overview, OverviewQuery } from "./schema.ts";
import { webhookFigures } from "./webhooks.ts";

const causesMax = 8;

export type OverviewParts = { db: Db; clock: Clock; rollups: Rollups };

export async function findOverview(
  { db, clock, rollups }: OverviewParts,
  seen: Pick<Question, "subaccountId" | "user">,
  query: OverviewQuery,
): Promise<Overview> {
  await rollups.catchUp(seen.subaccountId);
  const question = { ...seen, query, nowMs: clock() };
  return db.transaction((tx) => readOverview(tx, question), { snapshot: true });
}

type Question = {
  subaccountId: string;
  user: User;
  query: OverviewQuery;
  nowMs: number;
};

async function readOverview(
  tx: Tx,
  { subaccountId, user, query, nowMs }: Question,
): Promise<Overview> {
  const { range = "7d", currency, time_zone = "UTC" } = query;
  const buckets = bucketsOf(range as TimeRange, nowMs, time_zone);
  const question = { subaccountId, currency };
  const balances = await listOverviewBalances(tx, subaccountId);
  const shown = balances.filter((balance) => !currency || balance.currency === currency);

  const whole: Period = { fromMs: startOf(buckets), toMs: endOf(buckets) };
  const payouts = await listPayoutRollups(tx, subaccountId, [
    ...buckets.flatMap(piecesOf),
    ...daysBeside(nowMs, time_zone),
  ]);
  const figures = payoutFigures(payouts, {
    buckets: buckets.length,
    currencies: shown.map((balance) => balance.currency),
  });
  const causes = await listFailureRollups(tx, question, piecesOf(whole, 0), causesMax);
  const oldest = await findOldestInFlight(tx, question);

  const cursor = (await findDeliveryCursor(tx, subaccountId)) ?? firstIdOf(0);
  const deliveries = [
    ...(await listDeliveryRollups(tx, subaccountId, buckets.flatMap(piecesOf))),
    ...(await countLatestDeliveries(tx, subaccountId, {
      fromId: cursor,
      startsMs: buckets.map(({ fromMs }) => fromMs),
    })),
  ];
  const webhooks = webhookFigures(deliveries, buckets.length);

  const waiting = await countWaiting(tx, subaccountId, agesFrom(nowMs));
  const states = await countByState(tx, subaccountId, firstIdOf(whole.fromMs));
  const attention = await listAttention(tx, {
    subaccountId,
    user,
    nowMs,
    balances,
    waiting,
    paidADay: figures.paidADay,
    failed: figures.failed,
  });

  return {
    ...progressOf(balances, nowMs),
    range,
    time_zone,
    currencies: balances.map((balance) => balance.currency),
    has_payouts: await hasPayouts(tx, subaccountId),
    currency: currency ?? null,
    buckets: buckets.map(({ fromMs: from, toMs: to }) => ({ from, to })),
    tiles: {
      paid: figures.paid,
      in_flight: {
        count: shown.reduce((sum, { in_flight }) => sum + Number(in_flight), 0),
        amounts: shown.map((balance) => ({
          currency: balance.currency,
          amount: toSum(BigInt(balance.held) + BigInt(balance.clearing)),
        })),
        oldest_at: oldest ? idTimeMs(oldest) : null,
      },
      failed: figures.failed,
      kyc_waiting: kycTile(waiting),
      webhooks: webhooks.tile,
    },
    attention,
    plots: {
      payouts: figures.byStatus,
      volume: figures.volume,
      settling: figures.settling,
      causes: causes.map(({ cause, cause_code: code, failed }) => ({
        cause,
        code,
        count: Number(failed),
      })),
      webhooks: webhooks.plot,
      kyc: kycFunnel(states, waiting),
    },
  };
}

function progressOf(
  balances: readonly OverviewBalanceRow[],
  nowMs: number,
): { as_of: number; behind: number } {
  const late = balances.filter(({ transfers, number }) => transfers !== number);
  const behind = late.reduce(
    (sum, { transfers, number }) => sum + Number(transfers) - Number(number),
    0,
  );
  return { as_of: Math.min(nowMs, ...late.map(({ latest_ms }) => Number(latest_ms))), behind };
}

const startOf = (buckets: readonly Period[]) => buckets[0]?.fromMs ?? 0;
const endOf = (buckets: readonly Period[]) => buckets.at(-1)?.toMs ?? 0;
