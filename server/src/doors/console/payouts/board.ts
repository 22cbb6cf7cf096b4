// The board of payouts: what is where, from the hold to the bank, and what ended in a time range.

import type { Stage } from "../../../money/payouts/index.ts";
import { firstIdOf, idTimeMs, toSum } from "../../../platform/base/index.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { consoleListLimits } from "../../lists/index.ts";
import type { OverviewParts } from "../overview/overview.ts";
import { listOverviewBalances, type OverviewBalanceRow } from "../overview/queries.ts";
import { bucketsOf, piecesOf, type TimeRange } from "../rollups/time-ranges.ts";
import {
  countByStage,
  type EndedRollup,
  listOldestOfStages,
  type StageCount,
  sumByStage,
  sumEnded,
} from "./board-queries.ts";
import type { BoardColumn, BoardQuery, PayoutBoard } from "./schema.ts";

/** The stages of the columns that are counted now. */
const waiting = {
  on_hold: ["on_hold"],
  awaiting_approval: ["awaiting_approval"],
  queued: ["queued"],
  at_bank: ["batched", "submitted"],
} as const satisfies Record<string, readonly Stage[]>;

const forUsers: readonly Stage[] = ["on_hold", "awaiting_approval"];

/** The stages of the columns of a time range, and their figures in the roll-ups. */
const ended = {
  settled: {
    stages: ["settled"],
    count: ({ paid, returned }: EndedRollup) => Number(paid) - Number(returned),
    amount: (rollup: EndedRollup) => BigInt(rollup.paid_amount) - BigInt(rollup.returned_amount),
  },
  failed: {
    stages: ["rejected", "cancelled"],
    count: ({ failed }: EndedRollup) => Number(failed),
    amount: ({ failed_amount }: EndedRollup) => BigInt(failed_amount),
  },
  returned: {
    stages: ["returned"],
    count: ({ returned }: EndedRollup) => Number(returned),
    amount: ({ returned_amount }: EndedRollup) => BigInt(returned_amount),
  },
} as const satisfies Record<string, { stages: readonly Stage[] } & Record<string, unknown>>;

export async function findBoard(
  { db, clock, rollups }: OverviewParts,
  subaccountId: string,
  { range = "7d", time_zone = "UTC" }: BoardQuery,
): Promise<PayoutBoard> {
  await rollups.catchUp(subaccountId);
  const buckets = bucketsOf(range as TimeRange, clock(), time_zone);
  const period = { fromMs: buckets[0]?.fromMs ?? 0, toMs: buckets.at(-1)?.toMs ?? 0 };
  return db.transaction(
    async (tx) => {
      const balances = await listOverviewBalances(tx, subaccountId);
      const isBehind = balances.some(({ transfers, number }) => transfers !== number);
      return {
        range,
        from: period.fromMs,
        to: period.toMs,
        most: limits.countedMax,
        is_behind: isBehind,
        columns: [
          ...(await waitingColumns(tx, subaccountId, balances)),
          ...(await endedColumns(tx, subaccountId, period)),
        ],
      };
    },
    { snapshot: true },
  );
}

async function waitingColumns(
  tx: Tx,
  subaccountId: string,
  balances: readonly OverviewBalanceRow[],
): Promise<BoardColumn[]> {
  const most = limits.countedMax;
  const stages = Object.values(waiting).flat();
  const counts = await countByStage(tx, { subaccountId, stages, most: most + 1 });
  // The books know what is queued and what is at the bank; only what waits for a user has to be added up.
  const isSummed = ({ stage, count }: StageCount) =>
    count <= (forUsers.includes(stage) ? most : consoleListLimits.boardSummedMax);
  const pairs = counts.filter(isSummed);
  const sums = new Map(
    (await sumByStage(tx, { subaccountId, pairs, most })).map(({ stage, currency, amount }) => [
      `${stage} ${currency}`,
      BigInt(amount),
    ]),
  );
  const sumOf = sumReader(counts, sums, balances);
  return Object.entries(waiting).map(([key, ofColumn]): BoardColumn => {
    const found = counts.filter(({ stage }) => (ofColumn as readonly Stage[]).includes(stage));
    const currencies = [...new Set(found.map(({ currency }) => currency))].sort();
    const count = found.reduce((sum, one) => sum + one.count, 0);
    return {
      key,
      stages: [...ofColumn],
      count: Math.min(count, most + 1),
      sums: currencies.map((currency) => {
        const amount = sumOf(ofColumn, currency);
        return { currency, amount: amount === undefined ? null : toSum(amount) };
      }),
      oldest_at: oldestOf(found.map(({ oldest_id }) => oldest_id)),
    };
  });
}

/**
 * The sum of a column in a currency. Where the payouts are too many to add up, the books know it: what is held less what
 * waits for a user is queued, and what is in clearing is at the bank. Undefined: not known.
 */
function sumReader(
  counts: readonly StageCount[],
  sums: ReadonlyMap<string, bigint>,
  balances: readonly OverviewBalanceRow[],
) {
  const inStage = (stage: Stage, currency: string): bigint | undefined =>
    counts.some((one) => one.stage === stage && one.currency === currency)
      ? sums.get(`${stage} ${currency}`)
      : 0n;
  return (stages: readonly Stage[], currency: string): bigint | undefined => {
    const known = stages.map((stage) => inStage(stage, currency));
    if (known.every((sum) => sum !== undefined)) return known.reduce((all, sum) => all + sum, 0n);
    const balance = balances.find((one) => one.currency === currency);
    if (!balance) return undefined;
    if (stages.includes("submitted")) return BigInt(balance.clearing);
    const [held, waits] = [inStage("on_hold", currency), inStage("awaiting_approval", currency)];
    const isQueue = stages.includes("queued") && held !== undefined && waits !== undefined;
    return isQueue ? BigInt(balance.held) - held - waits : undefined;
  };
}

async function endedColumns(
  tx: Tx,
  subaccountId: string,
  period: { fromMs: number; toMs: number },
): Promise<BoardColumn[]> {
  const rollups = await sumEnded(tx, subaccountId, piecesOf(period, 0));
  const oldest = await listOldestOfStages(tx, subaccountId, {
    stages: Object.values(ended).flatMap(({ stages }) => [...stages]),
    fromId: firstIdOf(period.fromMs),
    toId: firstIdOf(period.toMs),
  });
  return Object.entries(ended).map(([key, { stages, count, amount }]): BoardColumn => {
    const own = rollups.filter((rollup) => count(rollup) > 0);
    const ids = oldest.filter(({ stage }) => (stages as readonly Stage[]).includes(stage));
    return {
      key,
      stages: [...stages],
      count: own.reduce((sum, rollup) => sum + count(rollup), 0),
      sums: own
        .map((rollup) => ({ currency: rollup.currency, amount: toSum(amount(rollup)) }))
        .sort((one, other) => (one.currency < other.currency ? -1 : 1)),
      oldest_at: oldestOf(ids.map(({ id }) => id)),
    };
  });
}

function oldestOf(ids: readonly string[]): number | null {
  const [oldest] = ids.toSorted();
  return oldest === undefined ? null : idTimeMs(oldest);
}
