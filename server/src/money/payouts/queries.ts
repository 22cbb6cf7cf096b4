// The SQL that creates payouts, and that locks the balances before.

import { followIndexesSql, type Runner, statement, type Tx } from "../../platform/db/index.ts";
import type { Metadata } from "../../platform/metadata/index.ts";
import { insertEventsSql } from "../../webhooks/events/index.ts";
import { arraysOf, type BalanceKey, levelOf, postTransfersSql } from "../ledger/index.ts";
import { ruleSubjects } from "../rules/index.ts";
import { type DayTotalToWrite, writeDayTotalsSql } from "./day-total-queries.ts";
import { accountDayAbove } from "./limit-queries.ts";
import type { BalanceState } from "./payout.ts";
import type { PayoutStatus, Stage } from "./states.ts";
import {
  type CountsToInsert,
  countColumns,
  insertCountsSql,
  toCountColumns,
} from "./total-queries.ts";

export type PayoutRow = {
  id: string;
  receiver_id: string;
  account_id: string;
  account_version: number;
  batch_id: string | null;
  amount: string;
  /** "0": none. */
  fee: string;
  /** What goes to the bank: less than the amount where the receiver bears the fee. */
  sent_amount: string;
  currency: string;
  reference: string;
  note: string;
  status: PayoutStatus;
  stage: Stage;
  cause: string;
  cause_code: string;
  rail: string;
  provider_reference: string;
  send_on: string;
  statement_reference: string;
  purpose: string;
  process_date: string;
  expected_arrival: string;
  bank_batch_id: string | null;
  created_at_ms: string;
  updated_at_ms: string;
  metadata: Metadata | null;
};

export const payoutColumns = `p.id, p.receiver_id, p.account_id, p.account_version, p.batch_id, p.amount,
  coalesce(p.fee, 0) as fee, coalesce(p.sent_amount, p.amount) as sent_amount, p.currency, p.reference, p.note, p.status, p.stage, p.cause, p.cause_code, p.rail, p.provider_reference,
  p.send_on, p.statement_reference, p.purpose, p.process_date, p.expected_arrival, p.bank_batch_id,
  p.created_at_ms, p.updated_at_ms, p.metadata`;

type BalanceRow = {
  subaccount_id: string;
  currency: string;
  available: string;
  day: string;
  day_total: string;
  transfers: string;
  per_payout_max: string | null;
  per_day_max: string | null;
  approval_above: string | null;
  batch_approval_above: string | null;
  receiver_day_approval_above: string | null;
  account_day_approval_above: string | null;
  is_unset: boolean;
  level?: string | null;
};

const limitColumns = `l.per_payout_max, l.per_day_max, l.approval_above, l.batch_approval_above,
          l.receiver_day_approval_above, ${accountDayAbove("l")} as account_day_approval_above,
          l.subaccount_id is null as is_unset`;

const lockMany = statement<BalanceRow>(
  "payouts-lock-balances",
  // Sorted, so that two batches wait for each other instead of deadlocking. A balance that was never used has no row
  // to lock, but may have limits, which refuse a payout before the lack of funds does. Of the rest of the transaction,
  // PostgreSQL makes plans that follow indexes.
  `with locked as materialized (
     select b.subaccount_id, b.currency, b.available, b.day, b.day_total, b.transfers
     from ledger_balance b
     where (b.subaccount_id, b.currency) in (select * from unnest($1::uuid[], $2::text[]))
     order by b.subaccount_id, b.currency
     for update of b
   )
   select input.subaccount_id, input.currency, coalesce(b.available, 0) as available,
          coalesce(b.day, '') as day, coalesce(b.day_total, 0) as day_total,
          coalesce(b.transfers, 0) as transfers, ${limitColumns}, ${levelOf("input")} as level, ${followIndexesSql}
   from (select distinct * from unnest($1::uuid[], $2::text[])) input(subaccount_id, currency)
   left join locked b on b.subaccount_id = input.subaccount_id and b.currency = input.currency
   left join payout_limit l on l.subaccount_id = input.subaccount_id and l.currency = input.currency`,
);

/** Balances by `subaccountId currency`. They stay locked until the end of the transaction. */
export async function lockBalances(
  tx: Tx,
  balances: readonly BalanceKey[],
): Promise<Map<string, BalanceState>> {
  const rows = await tx.run(lockMany, arraysOf(balances));
  return new Map(rows.map((row) => [`${row.subaccount_id} ${row.currency}`, toState(row)]));
}

function toState(row: BalanceRow): BalanceState {
  const limit = (text: string | null) => (text === null ? undefined : BigInt(text));
  return {
    available: BigInt(row.available),
    perPayoutMax: limit(row.per_payout_max),
    perDayMax: limit(row.per_day_max),
    approvalAbove: limit(row.approval_above),
    batchApprovalAbove: limit(row.batch_approval_above),
    receiverDayApprovalAbove: limit(row.receiver_day_approval_above),
    accountDayApprovalAbove: limit(row.account_day_approval_above),
    isUnset: row.is_unset,
    day: row.day,
    dayTotal: BigInt(row.day_total),
    transfers: Number(row.transfers),
    ...(row.level && { level: BigInt(row.level) }),
  };
}

const listOfSubaccount = statement<BalanceRow>(
  "payouts-balances",
  `select currency, coalesce(b.available, 0) as available, coalesce(b.day, '') as day,
          coalesce(b.day_total, 0) as day_total, coalesce(b.transfers, 0) as transfers, ${limitColumns}
   from (select * from ledger_balance where subaccount_id = $1) b
   full join (select * from payout_limit where subaccount_id = $1) l using (currency)`,
);

/** Balances by currency, without a lock. */
export async function listPayoutBalances(
  db: Runner,
  subaccountId: string,
): Promise<Map<string, BalanceState>> {
  const rows = await db.run(listOfSubaccount, [subaccountId]);
  return new Map(rows.map((row) => [row.currency, toState(row)]));
}

export type PayoutToInsert = {
  subaccount_id: string;
  id: string;
  batch_id: string | undefined;
  receiver_id: string;
  account_id: string;
  account_version: number;
  amount: string;
  currency: string;
  reference: string;
  note: string;
  stage: Stage;
  rail: string;
  created_at_ms: number;
  created_by: string;
  due_at_ms: number | undefined;
  send_on: string;
  statement_reference: string;
  purpose: string;
  process_date: string;
  expected_arrival: string;
  event_id: string;
  event_body: string;
  transfer_id: string;
  /** Absent where it costs nothing. */
  fee?: string;
  /** Absent: the amount. */
  sent_amount?: string | undefined;
  fee_transfer_id?: string;
  /** Written apart. */
  metadata?: Metadata;
};

type FeeParts = { columns: string; values: string; posted: string };

const withoutFees: FeeParts = {
  columns: "",
  values: "",
  posted: `select call, subaccount_id, currency, transfer_id as id, 'available' as debit, 'held' as credit, amount,
            'hold' as kind, id as payout_id, null::uuid as reverses_id, reference, created_at_ms, created_by,
            $2::text as day
     from input`,
};

// A fee is posted after the hold of its payout. Taken out of the amount, it counts towards the limit of the day as well.
const withFees: FeeParts = {
  columns: ", fee bigint, sent_amount bigint, fee_transfer_id uuid",
  values: ", fee, sent_amount",
  posted: `select 2 * input.call + t.number as call, subaccount_id, currency, t.id, 'available' as debit, t.credit, t.amount,
            t.kind, input.id as payout_id, null::uuid as reverses_id, reference, created_at_ms, created_by, t.day
     from input cross join lateral (values
       (0, transfer_id, 'held', coalesce(sent_amount, input.amount), 'hold', $2::text),
       (1, fee_transfer_id, 'fees', fee, 'fee', case when sent_amount is null then null else $2::text end)
     ) t(number, id, credit, amount, kind, day)
     where t.amount > 0`,
};

// Payouts, holds, the total of the day and events in one statement: all of it or nothing.
const inserting = (fees: FeeParts, counts = "") => `with input as materialized (
     select * from json_to_recordset($1) as input(
       call int, subaccount_id uuid, id uuid, batch_id uuid, receiver_id uuid, account_id uuid,
       account_version int, amount bigint, currency text, reference text, note text, stage text,
       rail text, created_at_ms bigint, created_by text, due_at_ms bigint, send_on text,
       statement_reference text, purpose text, process_date text, expected_arrival text, event_id uuid,
       event_body text, transfer_id uuid${fees.columns}${counts})
   ), inserted as (
     insert into payout (subaccount_id, id, batch_id, receiver_id, account_id, account_version, amount,
       currency, reference, note, status, stage, cause, cause_code, rail, provider_reference,
       created_at_ms, updated_at_ms, created_by, due_at_ms, send_on, statement_reference, purpose,
       process_date, expected_arrival${fees.values})
     select subaccount_id, id, batch_id, receiver_id, account_id, account_version, amount, currency,
       reference, note, 'pending', stage, '', '', rail, '', created_at_ms, created_at_ms, created_by,
       due_at_ms, send_on, statement_reference, purpose, process_date, expected_arrival${fees.values}
     from input order by id
     returning id
   ), new_events as (
     select call, subaccount_id, id as order_key, event_id, 'payoutCreated' as event_type, event_body,
            created_at_ms as at_ms
     from input
   ), ${insertEventsSql}, posted as (
     ${fees.posted}
   )`;

/** What a statement writes beside the payouts. Each part is left out where it is not needed, which is most often. */
type InsertParts = { isCounted: boolean; hasFees: boolean; hasDayTotals: boolean };

const insertStatement = ({ isCounted, hasFees, hasDayTotals }: InsertParts) => {
  const name = ["payouts-insert", isCounted && "counted", hasFees && "fees", hasDayTotals && "day"];
  const counts = isCounted ? `, ${insertCountsSql(["$3", "$4", "$5"])}` : "";
  const dayTotals = hasDayTotals ? `, ${writeDayTotalsSql(isCounted ? "$6" : "$3")}` : "";
  return statement<{ id: string }>(
    name.filter(Boolean).join("-"),
    `${inserting(hasFees ? withFees : withoutFees, isCounted ? countColumns : "")}, ${postTransfersSql}${counts}${dayTotals}
   select id from inserted`,
  );
};

const numberOf = ({ isCounted, hasFees, hasDayTotals }: InsertParts) =>
  Number(isCounted) + 2 * Number(hasFees) + 4 * Number(hasDayTotals);
const inserts = Array.from({ length: 8 }, (_, number) =>
  insertStatement({
    isCounted: (number & 1) > 0,
    hasFees: (number & 2) > 0,
    hasDayTotals: (number & 4) > 0,
  }),
);

type InsertedTotals = {
  /** The day whose limit they count towards. */
  day: string;
  /** The totals that rules count. Undefined: none. */
  counts: CountsToInsert | undefined;
  /** The totals of the day that thresholds look at. */
  dayTotals: readonly DayTotalToWrite[];
};

/** Inserts payouts that were decided on under the lock of their balances. */
export async function insertPayouts(
  tx: Tx,
  payouts: readonly PayoutToInsert[],
  { day, counts, dayTotals }: InsertedTotals,
): Promise<void> {
  const rows = payouts.map((payout, call) => ({
    call,
    ...payout,
    ...(counts && toCountColumns(counts.byPayout.get(payout.id) ?? {}, payout.created_at_ms)),
  }));
  const epochs = counts ? ruleSubjects.map((subject) => counts.epochs[subject]) : [];
  const values = [JSON.stringify(rows), day, ...epochs];
  const hasDayTotals = dayTotals.length > 0;
  if (hasDayTotals) values.push(JSON.stringify(dayTotals));
  const hasFees = payouts.some(({ fee }) => fee);
  const number = numberOf({ isCounted: counts !== undefined, hasFees, hasDayTotals });
  const inserted = await tx.run(inserts[number] as (typeof inserts)[number], values);
  if (inserted.length !== payouts.length) throw new Error("every payout must be inserted");
  tx.afterCommit(({ metrics, onEventCommitted, changed }) => {
    metrics?.payoutsMoved(payouts.map(({ stage }) => stage));
    for (const subaccountId of new Set(payouts.map(({ subaccount_id }) => subaccount_id))) {
      onEventCommitted(subaccountId);
      changed(subaccountId, "payouts");
    }
  });
}
