// Reconciles a subaccount's balances over a period, from one snapshot.

import { findClosedMonth } from "../../../money/ledger/index.ts";
import { type Clock, toSum } from "../../../platform/base/index.ts";
import type { Db, Tx } from "../../../platform/db/index.ts";
import type { Sum } from "../../../platform/fields/index.ts";
import type { Rollups } from "../rollups/catch-up.ts";
import {
  type Aged,
  agedOf,
  ageStarts,
  type Compared,
  comparisonsOf,
  daysOf,
  type Flows,
  flowsOf,
  size,
  standingOf,
  totalOf,
} from "./figures.ts";
import { isOver, type ReconciledPeriod } from "./period.ts";
import {
  type BalanceNow,
  findEndBefore,
  listBalancesNow,
  listDayKinds,
  listOpenPayouts,
  type OpenPayouts,
} from "./queries.ts";
import type { ReconcileDifference, ReconciledBalance, Reconciliation } from "./schema.ts";

export type ReconcileParts = { db: Db; clock: Clock; rollups: Rollups };

type ReconcileRequest = {
  subaccountId: string;
  currency: string | undefined;
  period: ReconciledPeriod;
};

export async function reconcile(
  { db, clock, rollups }: ReconcileParts,
  request: ReconcileRequest,
): Promise<Reconciliation> {
  const { subaccountId, currency, period } = request;
  await rollups.catchUp(subaccountId);
  const nowMs = clock();
  return db.transaction(
    async (tx) => {
      const all = await listBalancesNow(tx, { subaccountId, currency: undefined });
      const open = await listOpenPayouts(tx, subaccountId, ageStarts(nowMs));
      const balances: ReconciledBalance[] = [];
      for (const balance of all.filter((one) => !currency || one.currency === currency)) {
        balances.push(
          toWire(await readBalance(tx, { subaccountId, balance, open, period, nowMs })),
        );
      }
      const { fromMs: from, toMs: to, month = null } = period;
      const currencies = all.map((one) => one.currency);
      return { as_of: nowMs, from, to, month, currencies, balances };
    },
    { snapshot: true },
  );
}

type BalanceToRead = {
  subaccountId: string;
  balance: BalanceNow;
  open: readonly OpenPayouts[];
  period: ReconciledPeriod;
  nowMs: number;
};

async function readBalance(tx: Tx, { subaccountId, balance, open, period, nowMs }: BalanceToRead) {
  const { currency } = balance;
  const key = { subaccountId, currency };
  const ends = {
    opening: await findEndBefore(tx, key, period.fromMs),
    closing: await findEndBefore(tx, key, period.toMs),
  };
  const kinds = await listDayKinds(tx, key, period);
  const closed = period.month ? await findClosedMonth(tx, key, period.month) : undefined;
  const opening = totalOf(standingOf(ends.opening));
  const compared: Compared = { opening, flows: flowsOf(kinds), ends, balance, open, closed };
  return { ...compared, period, nowMs, days: daysOf(opening, kinds), currency };
}

type BalanceOfPeriod = Awaited<ReturnType<typeof readBalance>>;

function toWire(read: BalanceOfPeriod): ReconciledBalance {
  const { currency, balance, opening, flows, ends, open, closed, period, nowMs, days } = read;
  const standing = standingOf(ends.closing);
  const differences: ReconcileDifference[] = Object.entries(comparisonsOf(read))
    .filter(([, amount]) => amount !== 0n)
    .map(([what, amount]) => ({ what, amount: toSum(amount) }));
  const drift = Object.values(comparisonsOf(read)).reduce((sum, amount) => sum + size(amount), 0n);
  const behind = Number(balance.transfers) - Number(balance.rolled_up);
  const isClosable =
    period.month !== undefined && !closed && isOver(period, nowMs) && drift === 0n && behind === 0;
  return {
    currency,
    behind,
    opening: toSum(opening),
    ...flowsToWire(flows),
    closing: toSum(totalOf(standing)),
    available: toSum(standing.available),
    held: toSum(standing.held),
    clearing: toSum(standing.clearing),
    returns: toSum(standing.returns),
    drift: toSum(drift),
    differences,
    days: days.map(({ dayMs, flows: ofDay, closing }) => ({
      day: dayMs,
      ...flowsToWire(ofDay),
      closing: toSum(closing),
    })),
    exceptions: agedOf(open, currency, nowMs).map(agedToWire),
    closed: closed ? { at: Number(closed.closed_at_ms), by: closed.closed_by } : null,
    is_closable: isClosable,
  };
}

function flowsToWire(flows: Flows): Record<keyof Flows, Sum> {
  return Object.fromEntries(
    Object.entries(flows).map(([name, amount]) => [name, toSum(amount)]),
  ) as Record<keyof Flows, Sum>;
}

function agedToWire({ age, fromMs, toMs, rows }: Aged) {
  const row = (isSent: boolean) => rows.find(({ is_sent }) => is_sent === isSent);
  const amount = (isSent: boolean) => toSum(BigInt(row(isSent)?.amount ?? 0));
  return {
    age,
    from: fromMs ?? null,
    to: toMs,
    held: Number(row(false)?.count ?? 0),
    held_amount: amount(false),
    clearing: Number(row(true)?.count ?? 0),
    clearing_amount: amount(true),
  };
}
