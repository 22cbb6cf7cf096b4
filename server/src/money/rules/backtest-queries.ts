// The SQL of backtests: the payouts of a balance in the order in which they were decided, and the facts of that time.

import type { Mode } from "../../platform/base/index.ts";
import { type Runner, statement, worksHere } from "../../platform/db/index.ts";

/** A balance whose payouts a backtest reads: up to the number that it had at the beginning. */
export type BacktestBalance = {
  subaccountId: string;
  currency: string;
  mode: Mode;
  /** Its transfers are numbered from 1 without gaps. */
  transfers: number;
};

type BalanceRow = { subaccount_id: string; currency: string; mode: Mode; transfers: string };

const balancesWhere = (condition: string) =>
  `select b.subaccount_id, b.currency, s.mode, b.transfers
   from ledger_balance b join subaccount s on s.id = b.subaccount_id
   where b.transfers > 0 and ${condition}
   order by b.subaccount_id, b.currency`;

const balancesAfter = statement<BalanceRow>(
  "backtest-balances",
  // Of a subaccount that moves here, only a part of the rows may be there.
  `${balancesWhere(`(b.subaccount_id, b.currency) > ($1, $2) and ${worksHere("b.subaccount_id")}`)} limit $3`,
);
const balancesOf = statement<BalanceRow>(
  "backtest-balances-of-one",
  balancesWhere("b.subaccount_id = $1"),
);

const toBalance = ({ subaccount_id, ...row }: BalanceRow): BacktestBalance => ({
  ...row,
  subaccountId: subaccount_id,
  transfers: Number(row.transfers),
});

/** In the order of their keys. */
export async function listBacktestBalances(
  db: Runner,
  after: { subaccountId: string; currency: string },
  limit: number,
): Promise<BacktestBalance[]> {
  return (await db.run(balancesAfter, [after.subaccountId, after.currency, limit])).map(toBalance);
}

/** Of one subaccount, also while it moves. */
export async function listBalancesOfSubaccount(
  db: Runner,
  subaccountId: string,
): Promise<BacktestBalance[]> {
  return (await db.run(balancesOf, [subaccountId])).map(toBalance);
}

const lastBefore = statement<{ number: string }>(
  "backtest-last-transfer-before",
  // There is no index by time. Transfers are numbered in the order of time, apart from seconds that callers waited for
  // the lock of the balance, so that halving finds the place with one probe of the primary key for each step.
  `with recursive search(low, high) as (
     select 0::bigint, $3::bigint + 1
     union all
     select case when t.created_at_ms < $4 then middle else low end,
            case when t.created_at_ms < $4 then high else middle end
     from search
     cross join lateral (select (low + high) / 2 as middle) half
     join ledger_transfer t on t.subaccount_id = $1 and t.currency = $2 and t.number = half.middle
     where high - low > 1
   )
   select low as number from search where high - low = 1`,
);

/** The number of the last transfer before a time; 0: there is none. */
export async function findLastTransferBefore(
  db: Runner,
  { subaccountId, currency, transfers }: BacktestBalance,
  atMs: number,
): Promise<number> {
  const [row] = await db.run(lastBefore, [subaccountId, currency, transfers, atMs]);
  return Number(row?.number ?? 0);
}

const sumOfTransfers = statement<{ sum: string }>(
  "rules-backtest-transfers",
  // Over all subaccounts, as a backtest is.
  "select coalesce(sum(transfers), 0)::text as sum from ledger_balance",
);

/** How much there is to read at most, for the progress. */
export async function sumTransfers(db: Runner): Promise<number> {
  return Number((await db.run(sumOfTransfers))[0]?.sum ?? 0);
}

/** A payout as it was decided. */
export type PastPayout = {
  subaccountId: string;
  id: string;
  receiverId: string;
  accountId: string;
  accountVersion: number;
  amount: bigint;
  currency: string;
  createdAtMs: number;
  /** The number of its hold in the ledger: the order of decisions of its balance. */
  number: number;
};

const decided = statement<{
  id: string;
  receiver_id: string;
  account_id: string;
  account_version: number;
  amount: string;
  created_at_ms: string;
  number: string;
}>(
  "backtest-payouts",
  // Each accepted payout has one transfer of this kind, made under the lock of the balance that decided it.
  `select p.id, p.receiver_id, p.account_id, p.account_version, p.amount, p.created_at_ms, t.number
   from ledger_transfer t
   join payout p on p.subaccount_id = t.subaccount_id and p.id = t.payout_id
   where t.subaccount_id = $1 and t.currency = $2 and t.number > $3 and t.number <= $4 and t.kind = 'hold'
   order by t.number`,
);

/** In the order in which they were decided, from the transfers in a range of numbers. */
export async function listPastPayouts(
  db: Runner,
  { subaccountId, currency }: BacktestBalance,
  { after, upTo }: { after: number; upTo: number },
): Promise<PastPayout[]> {
  const rows = await db.run(decided, [subaccountId, currency, after, upTo]);
  return rows.map((row) => ({
    subaccountId,
    id: row.id,
    receiverId: row.receiver_id,
    accountId: row.account_id,
    accountVersion: row.account_version,
    amount: BigInt(row.amount),
    currency,
    createdAtMs: Number(row.created_at_ms),
    number: Number(row.number),
  }));
}
