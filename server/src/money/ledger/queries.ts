// Every SQL statement about the books.

import { toNearest } from "../../platform/base/index.ts";
import { type Runner, statement, type Tx } from "../../platform/db/index.ts";
import { bankRailPrefix } from "../rails/index.ts";
import { type Account, accounts, type Kind, postings } from "./ledger.ts";
import { tellLowBalances } from "./low-balance-queries.ts";

export type BalanceKey = { subaccountId: string; currency: string };

const ensureMany = statement<never>(
  "ledger-balances-ensure",
  `insert into ledger_balance (subaccount_id, currency)
   select distinct * from unnest($1::uuid[], $2::text[])
   order by 1, 2 on conflict do nothing`,
);

/** Inserts empty balances, so that there is a row to lock. */
export async function ensureBalances(tx: Tx, balances: readonly BalanceKey[]): Promise<void> {
  await tx.run(ensureMany, arraysOf(balances));
}

export function arraysOf(balances: readonly BalanceKey[]): [string[], string[]] {
  return [
    balances.map(({ subaccountId }) => subaccountId),
    balances.map(({ currency }) => currency),
  ];
}

export type Transfer = BalanceKey & {
  id: string;
  kind: Kind;
  amount: bigint;
  payoutId?: string | undefined;
  /** Which of several accounts of a kind: clearing, suspense and the bank have one for each rail. */
  rail?: string | undefined;
  reversesId?: string | undefined;
  reference: string;
  atMs: number;
  who: string;
};

/** The SQL for the effect of a transfer on an account: the bank grows by debits, the others by credits. */
export const effect = (account: Account) => {
  const plus = account === "bank" ? "debit" : "credit";
  const minus = account === "bank" ? "credit" : "debit";
  const isIt = (side: string) => `(split_part(${side}, ':', 1) = '${account}')::int`;
  return `(${isIt(plus)} - ${isIt(minus)}) * amount as ${account}`;
};

/**
 * For statements that post transfers together with their cause: `posted` must have the columns below. `day` is the day
 * whose limit the transfer counts towards: of a hold, and of a fee that is taken out of the amount.
 */
export const transferColumns = `call int, subaccount_id uuid, currency text, id uuid, debit text, credit text,
  amount bigint, kind text, payout_id uuid, reverses_id uuid, reference text, created_at_ms bigint,
  created_by text, day text`;

/** The CTEs that change the balances by `posted` and insert the transfers, in order of call. */
export const postTransfersSql = `
   effects as materialized (
     select *, ${accounts.map(effect).join(", ")} from posted
   ), totals as (
     select subaccount_id, currency, count(*) as transfers,
            coalesce(sum(amount) filter (where day is not null), 0)::bigint as counted,
            max(day) as day,
            ${accounts.map((account) => `sum(${account})::bigint as ${account}`).join(", ")}
     from effects group by subaccount_id, currency
   ), locked_balances as (
     -- Locked in one order, so that two statements wait for each other instead of deadlocking.
     select b.subaccount_id, b.currency from ledger_balance b
     join totals t on t.subaccount_id = b.subaccount_id and t.currency = b.currency
     order by b.subaccount_id, b.currency for update of b
   ), moved_balances as (
     update ledger_balance b
     set transfers = b.transfers + t.transfers,
         -- The day never goes back: a process whose clock is behind adds to the day that has begun.
         day = case when t.counted > 0 then greatest(t.day, b.day) else b.day end,
         day_total = case when t.counted = 0 then b.day_total
                          when t.day > b.day then t.counted else b.day_total + t.counted end,
         ${accounts.map((account) => `${account} = b.${account} + t.${account}`).join(", ")}
     from totals t
     join locked_balances l on l.subaccount_id = t.subaccount_id and l.currency = t.currency
     where b.subaccount_id = t.subaccount_id and b.currency = t.currency
     returning b.subaccount_id, b.currency, b.transfers - t.transfers as transfers,
               b.available - t.available as available, b.held - t.held as held
   ), written as (
     insert into ledger_transfer (subaccount_id, currency, number, id, debit, credit, amount, kind, payout_id,
       reverses_id, reference, available_after, held_after, created_at_ms, created_by)
     select e.subaccount_id, e.currency, m.transfers + row_number() over earlier, e.id, e.debit, e.credit,
            e.amount, e.kind, e.payout_id, e.reverses_id, e.reference,
            m.available + sum(e.available) over earlier, m.held + sum(e.held) over earlier,
            e.created_at_ms, e.created_by
     from effects e
     join moved_balances m on m.subaccount_id = e.subaccount_id and m.currency = e.currency
     window earlier as (partition by e.subaccount_id, e.currency order by e.call)
     returning id
   )`;

const postMany = statement<{ id: string }>(
  "ledger-post",
  `with posted as materialized (
     select * from json_to_recordset($1) as input(${transferColumns})
   ), ${postTransfersSql}
   select id from written`,
);

export function toRow(transfer: Transfer, call: number): Record<string, unknown> {
  const { kind, rail } = transfer;
  const named = (account: Account) =>
    rail && isDivided(account, { kind, rail }) ? `${account}:${rail}` : account;
  const [debit, credit] = postings[kind];
  return {
    call,
    subaccount_id: transfer.subaccountId,
    currency: transfer.currency,
    id: transfer.id,
    debit: named(debit),
    credit: named(credit),
    amount: transfer.amount.toString(),
    kind,
    payout_id: transfer.payoutId,
    reverses_id: transfer.reversesId,
    reference: transfer.reference,
    created_at_ms: transfer.atMs,
    created_by: transfer.who,
  };
}

/** The sandbox has no bank connection, so its part of the bank is the plain `bank`. */
function isDivided(account: Account, { kind, rail }: { kind: Kind; rail: string }): boolean {
  if (account === "returns") return kind === "suspend" || kind === "unsuspend";
  return account === "clearing" || (account === "bank" && rail.startsWith(bankRailPrefix));
}

/** All or none: a balance that would go below zero fails the transaction. */
export async function postTransfers(tx: Tx, transfers: readonly Transfer[]): Promise<void> {
  const rows = await tx.run(postMany, [JSON.stringify(transfers.map(toRow))]);
  if (rows.length !== transfers.length) throw new Error("a transfer found no balance to move");
  const reversals = transfers.filter(({ kind }) => kind === "reversal");
  for (const { subaccountId, id } of reversals) await tellLowBalances(tx, subaccountId, [id]);
}

type BalanceRow = {
  currency: string;
  available: string;
  held: string;
  /** Sent to a bank that has not reported the outcome: the ledger account `clearing`. */
  in_transit: string;
};

const listOfSubaccount = statement<BalanceRow>(
  "ledger-balances-of-subaccount",
  `select currency, available, held, clearing as in_transit
   from ledger_balance where subaccount_id = $1 order by currency`,
);

export function listBalances(db: Runner, subaccountId: string): Promise<BalanceRow[]> {
  return db.run(listOfSubaccount, [subaccountId]);
}

/** The balance in its wire format. */
export function presentBalance({ currency, available, held, in_transit }: BalanceRow) {
  return {
    currency,
    available: toNearest(BigInt(available)),
    held: toNearest(BigInt(held)),
    in_transit: toNearest(BigInt(in_transit)),
  };
}

const findOne = statement<BalanceRow>(
  "ledger-balance",
  `select currency, available, held, clearing as in_transit
   from ledger_balance where subaccount_id = $1 and currency = $2`,
);

/** Zero for a balance that was never used. */
export async function findBalance(
  db: Runner,
  { subaccountId, currency }: BalanceKey,
): Promise<BalanceRow> {
  const [row] = await db.run(findOne, [subaccountId, currency]);
  return row ?? { currency, available: "0", held: "0", in_transit: "0" };
}

type FoundTransfer = { kind: Kind; currency: string; amount: string; debit: string };

const findOneTransfer = statement<FoundTransfer>(
  "ledger-transfer-find",
  `select kind, currency, amount, debit from ledger_transfer where subaccount_id = $1 and id = $2`,
);

export async function findTransfer(
  db: Runner,
  { subaccountId, id }: { subaccountId: string; id: string },
) {
  return (await db.run(findOneTransfer, [subaccountId, id]))[0];
}

export type EntryRow = {
  id: string;
  number: string;
  currency: string;
  kind: Kind;
  debit: string;
  credit: string;
  amount: string;
  payout_id: string | null;
  reference: string;
  available_after: string;
  held_after: string;
  created_at_ms: string;
};

export type EntryPage = BalanceKey & {
  /** Only entries before this number. */
  before: bigint;
  fromMs: number;
  toMs: number;
  limit: number;
};

const listEntriesOfBalance = statement<EntryRow>(
  "ledger-entries",
  // Numbers and times grow together, so the index scan ends at the first entry that is too early.
  `select id, number, currency, kind, debit, credit, amount, payout_id, reference, available_after,
          held_after, created_at_ms
   from ledger_transfer
   where subaccount_id = $1 and currency = $2 and number < $3
     and created_at_ms >= $4 and created_at_ms < $5
   order by number desc limit $6`,
);

/** Newest first. */
export function listEntries(db: Runner, page: EntryPage): Promise<EntryRow[]> {
  const { subaccountId, currency, before, fromMs, toMs, limit } = page;
  return db.run(listEntriesOfBalance, [
    subaccountId,
    currency,
    before.toString(),
    fromMs,
    toMs,
    limit,
  ]);
}

const listOfPayout = statement<EntryRow>(
  "ledger-entries-of-payout",
  `select id, number, currency, kind, debit, credit, amount, payout_id, reference, available_after,
          held_after, created_at_ms
   from ledger_transfer where subaccount_id = $1 and payout_id = $2 order by number`,
);

/** Oldest first. A payout has a handful. */
export function listEntriesOfPayout(
  db: Runner,
  { subaccountId, id }: { subaccountId: string; id: string },
): Promise<EntryRow[]> {
  return db.run(listOfPayout, [subaccountId, id]);
}

/** A balance by its row, and by the sum of its transfers. */
type BalanceAudit = {
  subaccount_id: string;
  currency: string;
  transfers: string;
  transfers_found: string;
  highest_number: string;
} & Record<Account | `${Account}_found`, string>;

const auditAll = statement<BalanceAudit>(
  "ledger-audit",
  // Over all subaccounts, grouped by subaccount_id.
  `with effects as (
     select subaccount_id, currency, number, ${accounts.map(effect).join(", ")} from ledger_transfer
     where $1::uuid is null or subaccount_id = $1
   ), found as (
     select subaccount_id, currency, count(*) as transfers, max(number) as highest,
            ${accounts.map((account) => `sum(${account}) as ${account}`).join(", ")}
     from effects group by subaccount_id, currency
   )
   select coalesce(b.subaccount_id, f.subaccount_id) as subaccount_id,
          coalesce(b.currency, f.currency) as currency,
          coalesce(b.transfers, 0) as transfers, coalesce(f.transfers, 0) as transfers_found,
          coalesce(f.highest, 0) as highest_number,
          ${accounts
            .map(
              (account) =>
                `coalesce(b.${account}, 0) as ${account}, coalesce(f.${account}, 0) as ${account}_found`,
            )
            .join(", ")}
   from (select * from ledger_balance where $1::uuid is null or subaccount_id = $1) b
   full join found f on f.subaccount_id = b.subaccount_id and f.currency = b.currency
   order by 1, 2`,
);

/** Of all subaccounts, or of one. */
export function auditBalances(db: Runner, subaccountId?: string): Promise<BalanceAudit[]> {
  return db.run(auditAll, [subaccountId ?? null]);
}

type RunningFault = { subaccount_id: string; currency: string; number: string };

const auditRunning = statement<RunningFault>(
  "ledger-audit-running",
  `with effects as (
     select subaccount_id, currency, number, available_after, held_after,
            ${accounts.map(effect).join(", ")}
     from ledger_transfer where $1::uuid is null or subaccount_id = $1
   )
   select subaccount_id, currency, number from (
     select subaccount_id, currency, number,
            sum(available) over earlier <> available_after or sum(held) over earlier <> held_after as wrong
     from effects
     window earlier as (partition by subaccount_id, currency order by number)
   ) running where wrong order by 1, 2, 3 limit 100`,
);

/** Transfers whose running balance is not the sum of those before them. */
export function auditRunningBalances(db: Runner, subaccountId?: string): Promise<RunningFault[]> {
  return db.run(auditRunning, [subaccountId ?? null]);
}

type UnsettledPayouts = {
  subaccount_id: string;
  currency: string;
  held: string;
  clearing: string;
};

const auditOpen = statement<UnsettledPayouts>(
  "ledger-audit-payouts",
  `select subaccount_id, currency,
          coalesce(sum(coalesce(sent_amount, amount)) filter (where stage in ('queued', 'awaiting_approval', 'on_hold')), 0)::bigint
            as held,
          coalesce(sum(coalesce(sent_amount, amount)) filter (where stage in ('batched', 'submitted')), 0)::bigint
            as clearing
   from payout where status = 'pending' and ($1::uuid is null or subaccount_id = $1) group by subaccount_id, currency`,
);

/** The amounts that should be held and in transit, summed from the pending payouts. */
export function auditOpenPayouts(db: Runner, subaccountId?: string): Promise<UnsettledPayouts[]> {
  return db.run(auditOpen, [subaccountId ?? null]);
}

type FeeFault = { subaccount_id: string; currency: string; payout_id: string };

const auditFeesOfPayouts = statement<FeeFault>(
  "ledger-audit-fees",
  // Over all subaccounts; each row carries its subaccount_id. A fee is given back with the money that was held.
  `select p.subaccount_id, p.currency, p.id as payout_id from payout p
   cross join lateral (
     select coalesce(sum(amount) filter (where kind = 'fee'), 0) as charged,
            coalesce(sum(amount) filter (where kind = 'fee_refund'), 0) as refunded,
            coalesce(bool_or(kind = 'release'), false) as is_released
     from ledger_transfer t where t.subaccount_id = p.subaccount_id and t.payout_id = p.id
   ) t
   where p.fee is not null and ($1::uuid is null or p.subaccount_id = $1)
     and (t.charged <> p.fee or t.refunded <> case when t.is_released then p.fee else 0 end)
   order by 1, 2, 3 limit 100`,
);

/** Payouts whose fee is not what their transfers charged and gave back. */
export function auditFees(db: Runner, subaccountId?: string): Promise<FeeFault[]> {
  return db.run(auditFeesOfPayouts, [subaccountId ?? null]);
}
