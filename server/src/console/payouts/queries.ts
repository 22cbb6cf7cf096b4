// The SQL of the console's list of payouts. Each scan reads an index, newest first, up to a limit of rows; filters that
// the index does not cover apply to those rows only.

import { type Runner, statement } from "../../db/connect.ts";
import { limits } from "../../limits.ts";
import { type PayoutRow, payoutColumns } from "../../payouts/queries.ts";
import type { Stage } from "../../payouts/states.ts";

export type ListedPayout = PayoutRow & {
  created_by: string;
  first_name: string;
  last_name: string;
  account_number_tail: string;
  bank_name: string;
};

/** The filters. Undefined: no filter. */
export type PayoutScanFilter = {
  stages: readonly Stage[] | undefined;
  currency: string | undefined;
  amountMin: bigint | undefined;
  amountMax: bigint | undefined;
  receiverId: string | undefined;
  accountId: string | undefined;
  reference: string | undefined;
  batchId: string | undefined;
  createdBy: string | undefined;
};

/** The index to scan, and its ranges to read and merge. */
export type IndexScan =
  | { by: "age" }
  | { by: "batch"; batchId: string }
  | { by: "user"; who: string }
  | { by: "reference"; reference: string }
  | { by: "account"; accountIds: readonly string[] }
  | { by: "stage"; currencies: readonly string[]; stages: readonly Stage[] };

export type PayoutScan = {
  subaccountId: string;
  way: IndexScan;
  /** Only payouts older than this one, and not older than that. */
  beforeId: string;
  fromId: string;
  /** How many rows are read. */
  look: number;
};

const range = "p.subaccount_id = $1 and p.id < $2 and p.id >= $3";
const newestFirst = "order by p.id desc limit $4";
const merged = (ranges: string, one: string) =>
  `select p.* from ${ranges} cross join lateral (
     select * from payout p where ${range} and ${one} ${newestFirst}
   ) p ${newestFirst}`;

const walks: Record<IndexScan["by"], string> = {
  age: `select * from payout p where ${range} ${newestFirst}`,
  batch: `select * from payout p
    where ${range} and p.batch_id = $5 and p.batch_id is not null ${newestFirst}`,
  user: `select * from payout p
    where ${range} and p.created_by = $5 and p.created_by like 'operator:%' ${newestFirst}`,
  // Few payouts have this reference, so they are sorted. With an early limit, PostgreSQL would scan all others.
  reference: `with p as materialized (select * from payout p where ${range} and p.reference = $5)
    select * from p ${newestFirst}`,
  account: merged("unnest($5::uuid[]) as r(account_id)", "p.account_id = r.account_id"),
  stage: merged(
    "unnest($5::text[], $6::text[]) as r(currency, stage)",
    "p.currency = r.currency and p.stage = r.stage",
  ),
};

/** The values that a scan needs in addition to the common ones. */
function valuesOf(way: IndexScan): unknown[] {
  switch (way.by) {
    case "age":
      return [];
    case "batch":
      return [way.batchId];
    case "user":
      return [way.who];
    case "reference":
      return [way.reference];
    case "account":
      return [way.accountIds];
    case "stage": {
      const { currencies, stages } = way;
      const pairs = currencies.flatMap((currency) => stages.map((stage) => ({ currency, stage })));
      return [pairs.map(({ currency }) => currency), pairs.map(({ stage }) => stage)];
    }
  }
}

/** The conditions on the rows that are read. Their parameters start after `$after`. */
function wanted(after: number): string {
  const value = (nth: number, type: string) => `$${after + nth}::${type}`;
  const unless = (nth: number, type: string, test: string) =>
    `(${value(nth, type)} is null or ${test} ${value(nth, type)})`;
  return [
    `(${value(1, "text[]")} is null or p.stage = any(${value(1, "text[]")}))`,
    unless(2, "text", "p.currency ="),
    unless(3, "bigint", "p.amount >="),
    unless(4, "bigint", "p.amount <="),
    unless(5, "uuid", "p.receiver_id ="),
    unless(6, "uuid", "p.account_id ="),
    unless(7, "text", "p.reference ="),
    unless(8, "uuid", "p.batch_id ="),
    unless(9, "text", "p.created_by ="),
  ].join(" and ");
}

/** Joins the receiver and the bank, with one index lookup each. */
export const joinReceiverAndBank = `
  cross join lateral (
    select first_name, last_name from receiver r
    where r.subaccount_id = p.subaccount_id and r.id = p.receiver_id limit 1
  ) r
  cross join lateral (
    select account_number_tail, bank_name from bank_details d
    where d.subaccount_id = p.subaccount_id and d.account_id = p.account_id
      and d.version = p.account_version limit 1
  ) d`;
export const listedColumns = `${payoutColumns}, p.created_by, r.first_name, r.last_name,
  d.account_number_tail, d.bank_name`;

function statementsOf(by: IndexScan["by"]) {
  const own = { age: 4, batch: 5, user: 5, reference: 5, account: 5, stage: 6 }[by];
  return {
    page: statement<ListedPayout>(
      `console-payouts-by-${by}`,
      `select ${listedColumns}
       from (select * from (${walks[by]}) p where ${wanted(own)} order by p.id desc limit $${own + 10}) p
       ${joinReceiverAndBank} where p.subaccount_id = $1 order by p.id desc`,
    ),
    end: statement<{ id: string }>(
      `console-payouts-end-by-${by}`,
      `select p.id from (${walks[by]}) p where p.subaccount_id = $1 order by p.id desc offset $4::int - 1`,
    ),
  };
}
const statements = {
  age: statementsOf("age"),
  batch: statementsOf("batch"),
  user: statementsOf("user"),
  reference: statementsOf("reference"),
  account: statementsOf("account"),
  stage: statementsOf("stage"),
};

/** Newest first: the matches among the rows that are read. */
export function scanPayouts(
  db: Runner,
  { subaccountId, way, beforeId, fromId, look }: PayoutScan,
  filter: PayoutScanFilter,
  limit: number,
): Promise<ListedPayout[]> {
  const { stages, currency, amountMin, amountMax, receiverId, accountId } = filter;
  return db.run(statements[way.by].page, [
    ...[subaccountId, beforeId, fromId, look, ...valuesOf(way)],
    ...[stages ?? null, currency ?? null],
    ...[amountMin?.toString() ?? null, amountMax?.toString() ?? null],
    ...[receiverId ?? null, accountId ?? null, filter.reference ?? null],
    ...[filter.batchId ?? null, filter.createdBy ?? null, limit],
  ]);
}

/** The last row of the scan, if there are more. */
export async function findLastPayoutScanned(
  db: Runner,
  { subaccountId, way, beforeId, fromId, look }: PayoutScan,
): Promise<string | undefined> {
  const values = [subaccountId, beforeId, fromId, look, ...valuesOf(way)];
  return (await db.run(statements[way.by].end, values))[0]?.id;
}

const countReference = statement<{ count: number }>(
  "console-payouts-of-reference",
  `select count(*)::int as count from (
     select 1 from payout where subaccount_id = $1 and reference = $2 limit $3
   ) p`,
);

/** Whether so few payouts have the reference that all can be read. */
export async function isRareReference(
  db: Runner,
  { subaccountId, reference }: { subaccountId: string; reference: string },
): Promise<boolean> {
  const most = limits.payoutsOfReferenceMax;
  const [row] = await db.run(countReference, [subaccountId, reference, most + 1]);
  return (row?.count ?? 0) <= most;
}

const balancesOf = statement<{ currency: string; transfers: string }>(
  "console-payouts-balances",
  "select currency, transfers from ledger_balance where subaccount_id = $1 order by currency",
);

/** The currencies of the payouts, and the number of transfers of each. */
export async function listCurrencies(
  db: Runner,
  subaccountId: string,
): Promise<{ currency: string; transfers: number }[]> {
  const rows = await db.run(balancesOf, [subaccountId]);
  return rows.map(({ currency, transfers }) => ({ currency, transfers: Number(transfers) }));
}

const accountsOf = statement<{ id: string }>(
  "console-payouts-accounts",
  "select id from receiver_account where subaccount_id = $1 and receiver_id = $2 order by id",
);

export async function listAccountIds(
  db: Runner,
  { subaccountId, receiverId }: { subaccountId: string; receiverId: string },
): Promise<string[]> {
  return (await db.run(accountsOf, [subaccountId, receiverId])).map(({ id }) => id);
}

const countStages = statement<{ count: number }>(
  "console-payouts-count",
  // One range of the index per stage and currency, read up to the bound.
  `select count(*)::int as count from (
     select from ledger_balance b cross join unnest($2::text[]) as s(stage) cross join lateral (
       select from payout p
       where p.subaccount_id = $1 and p.currency = b.currency and p.stage = s.stage limit $3
     ) p
     where b.subaccount_id = $1 limit $3
   ) p`,
);

/** Counts the payouts in these stages, up to `most`. */
export async function countPayouts(
  db: Runner,
  { subaccountId, stages, most }: { subaccountId: string; stages: readonly Stage[]; most: number },
): Promise<number> {
  return (await db.run(countStages, [subaccountId, stages, most]))[0]?.count ?? 0;
}
