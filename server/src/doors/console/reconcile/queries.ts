// The SQL of the reconciliation: the ledger by day, open payouts, and the statement.

import type { BalanceKey, EntryRow, Kind } from "../../../money/ledger/index.ts";
import { type Runner, statement } from "../../../platform/db/index.ts";
import type { Period } from "../rollups/time-ranges.ts";

export type BalanceNow = {
  currency: string;
  transfers: string;
  available: string;
  held: string;
  clearing: string;
  returns: string;
  fees: string;
  /** The same from the roll-ups of the transfers. */
  rolled_up: string;
  rolled_up_available: string;
  rolled_up_held: string;
  rolled_up_clearing: string;
  rolled_up_returns: string;
  rolled_up_fees: string;
};

const owed = ["available", "held", "clearing", "returns", "fees"] as const;

const balances = statement<BalanceNow>(
  "reconcile-balances",
  `select b.currency, b.transfers, coalesce(c.number, 0) as rolled_up,
          ${owed.map((account) => `b.${account}, coalesce(c.${account}, 0) as rolled_up_${account}`).join(", ")}
   from ledger_balance b
   left join rollup_cursor c on c.subaccount_id = b.subaccount_id and c.currency = b.currency
   where b.subaccount_id = $1 and ($2::text is null or b.currency = $2) order by b.currency`,
);

type ReconcileScope = { subaccountId: string; currency: string | undefined };

export function listBalancesNow(
  db: Runner,
  { subaccountId, currency }: ReconcileScope,
): Promise<BalanceNow[]> {
  return db.run(balances, [subaccountId, currency ?? null]);
}

/** The balance after the last transfer of a day, from the roll-ups and from the transfer's running balance. */
export type DayEnd = {
  day_ms: string;
  last_number: string;
  available: string;
  held: string;
  clearing: string;
  returns: string;
  available_after: string | null;
  held_after: string | null;
};

const dayEnd = statement<DayEnd>(
  "reconcile-day-end",
  `select d.day_ms, d.last_number, d.available, d.held, d.clearing, d.returns, t.available_after, t.held_after
   from ledger_day d
   left join ledger_transfer t on t.subaccount_id = d.subaccount_id and t.currency = d.currency
     and t.number = d.last_number
   where d.subaccount_id = $1 and d.currency = $2 and d.day_ms < $3 order by d.day_ms desc limit 1`,
);

/** The last day with transfers before then. Undefined: there is none. */
export async function findEndBefore(
  db: Runner,
  { subaccountId, currency }: BalanceKey,
  beforeMs: number,
): Promise<DayEnd | undefined> {
  return (await db.run(dayEnd, [subaccountId, currency, beforeMs]))[0];
}

export type DayKind = { day_ms: string; kind: Kind; transfers: string; amount: string };

const kinds = statement<DayKind>(
  "reconcile-kinds",
  `select day_ms, kind, transfers, amount from ledger_day_kind
   where subaccount_id = $1 and currency = $2 and day_ms >= $3 and day_ms < $4 order by day_ms, kind`,
);

export function listDayKinds(
  db: Runner,
  { subaccountId, currency }: BalanceKey,
  { fromMs, toMs }: Period,
): Promise<DayKind[]> {
  return db.run(kinds, [subaccountId, currency, fromMs, toMs]);
}

export type OpenPayouts = {
  currency: string;
  is_sent: boolean;
  age: number;
  count: string;
  amount: string;
};

const open = statement<OpenPayouts>(
  "reconcile-open-payouts",
  `select currency, stage = 'submitted' as is_sent, width_bucket(created_at_ms, $2::bigint[]) as age,
          count(*) as count, sum(coalesce(sent_amount, amount))::bigint as amount
   from payout where subaccount_id = $1 and status = 'pending' group by 1, 2, 3`,
);

/** Payouts that are not final, by whether they were sent and by creation time: 0 is before the first of these times. */
export function listOpenPayouts(
  db: Runner,
  subaccountId: string,
  startsMs: readonly number[],
): Promise<OpenPayouts[]> {
  return db.run(open, [subaccountId, startsMs]);
}

const entries = statement<EntryRow>(
  "reconcile-entries",
  `select id, number, currency, kind, debit, credit, amount, payout_id, reference, available_after,
          held_after, created_at_ms
   from ledger_transfer
   where subaccount_id = $1 and currency = $2 and number > $3 and number <= $4 order by number limit $5`,
);

/** Transfers in a range of numbers, oldest first. */
export function listEntriesUpTo(
  db: Runner,
  { subaccountId, currency }: BalanceKey,
  { after, upTo, limit }: { after: bigint; upTo: bigint; limit: number },
): Promise<EntryRow[]> {
  return db.run(entries, [subaccountId, currency, after.toString(), upTo.toString(), limit]);
}

export type TransferRange = BalanceKey & { after: string; upTo: string };

const bankAccounts = statement<{ account: string }>(
  "reconcile-bank-accounts",
  `select distinct case when debit like 'bank:%' then debit else credit end as account from ledger_transfer
   where subaccount_id = $1 and currency = $2 and number > $3 and number <= $4
     and (debit like 'bank:%' or credit like 'bank:%')`,
);

/** The ledger accounts of bank connections that moved money in a range of transfers, such as `bank:bank:<id>`. */
export async function listBankAccounts(
  db: Runner,
  { subaccountId, currency, after, upTo }: TransferRange,
): Promise<string[]> {
  const rows = await db.run(bankAccounts, [subaccountId, currency, after, upTo]);
  return rows.map(({ account }) => account);
}
