// The SQL of the console's list of payouts. Each scan reads an index, newest first, up to a limit of rows; filters that
// the index does not cover apply to those rows only.

import { type PayoutRow, payoutColumns, type Stage } from "../../../money/payouts/index.ts";
import { type HolderColumns, holderColumns } from "../../../people/person/index.ts";
import { type Runner, statement } from "../../../platform/db/index.ts";
import { limits } from "../../../platform/limits/index.ts";

export type ListedPayout = PayoutRow &
  HolderColumns & {
    created_by: string;
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
  cause: string | undefined;
  /** The hash of a key and its value. */
  metadata: string | undefined;
};

/** The index to scan, and its ranges to read and merge. */
export type IndexScan =
  | { by: "age" }
  | { by: "metadata"; hash: string }
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
  /** How many rows are read, and which first. */
  look: number;
  direction: Direction;
};

const range = "p.subaccount_id = $1 and p.id < $2 and p.id >= $3";
type Direction = "newest" | "oldest";
const orders = { newest: "order by p.id desc", oldest: "order by p.id" };

/** Each index is read newest first or oldest first, up to $4 rows. */
function walksOf(direction: Direction): Record<IndexScan["by"], string> {
  const inOrder = `${orders[direction]} limit $4`;
  const merged = (ranges: string, one: string) =>
    `select p.* from ${ranges} cross join lateral (
     select * from payout p where ${range} and ${one} ${inOrder}
   ) p ${inOrder}`;
  return {
    age: `select * from payout p where ${range} ${inOrder}`,
    metadata: `select p.* from metadata_entry e cross join lateral (
      select * from payout p where p.subaccount_id = $1 and p.id = e.object_id limit 1
    ) p
    where e.subaccount_id = $1 and e.hash = $5 and e.object_id < $2 and e.object_id >= $3
    ${inOrder.replace("p.id", "e.object_id")}`,
    batch: `select * from payout p
    where ${range} and p.batch_id = $5 and p.batch_id is not null ${inOrder}`,
    user: `select * from payout p
    where ${range} and p.created_by = $5 and p.created_by like 'operator:%' ${inOrder}`,
    // Few payouts have this reference, so all of them are read, in the order of its index, and sorted. With another
    // order or without a limit, PostgreSQL may scan all other payouts.
    reference: `with p as materialized (
      select * from payout p where p.subaccount_id = $1 and p.reference = $5
      order by p.account_id, p.amount, p.id limit ${limits.payoutsOfReferenceMax}
    ) select * from p where ${range} ${inOrder}`,
    account: merged("unnest($5::uuid[]) as r(account_id)", "p.account_id = r.account_id"),
    stage: merged(
      "unnest($5::text[], $6::text[]) as r(currency, stage)",
      "p.currency = r.currency and p.stage = r.stage",
    ),
  };
}
const walks = { newest: walksOf("newest"), oldest: walksOf("oldest") };

/** The values that a scan needs in addition to the common ones. */
function valuesOf(way: IndexScan): unknown[] {
  switch (way.by) {
    case "age":
      return [];
    case "metadata":
      return [way.hash];
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
    // As the overview counts them.
    unless(10, "text", "left(p.cause, 80) ="),
  ].join(" and ");
}

/** Joins the receiver and the bank, with one index lookup each. */
export const joinReceiverAndBank = `
  cross join lateral (
    select first_name, last_name from receiver r
    where r.subaccount_id = p.subaccount_id and r.id = p.receiver_id limit 1
  ) r
  cross join lateral (
    select * from bank_details d
    where d.subaccount_id = p.subaccount_id and d.account_id = p.account_id
      and d.version = p.account_version limit 1
  ) d`;
export const listedColumns = `${payoutColumns}, p.created_by, r.first_name, r.last_name,
  ${holderColumns}, d.account_number_tail, d.bank_name`;

/** How many parameters a scan has. */
const ownValues = { age: 4, metadata: 5, batch: 5, user: 5, reference: 5, account: 5, stage: 6 };

function statementsOf(by: IndexScan["by"], direction: Direction) {
  const own = ownValues[by];
  const order = orders[direction];
  const walk = walks[direction][by];
  const name = direction === "newest" ? by : `${by}-oldest`;
  return {
    page: statement<ListedPayout>(
      `console-payouts-by-${name}`,
      `select ${listedColumns}
       from (select * from (${walk}) p where ${wanted(own)} ${order} limit $${own + 11}) p
       ${joinReceiverAndBank} where p.subaccount_id = $1 ${order}`,
    ),
    end: statement<{ id: string }>(
      `console-payouts-end-by-${name}`,
      `select p.id from (${walk}) p where p.subaccount_id = $1 ${order} offset $4::int - 1`,
    ),
  };
}
const statementsInOrder = (direction: Direction) => ({
  age: statementsOf("age", direction),
  metadata: statementsOf("metadata", direction),
  batch: statementsOf("batch", direction),
  user: statementsOf("user", direction),
  reference: statementsOf("reference", direction),
  account: statementsOf("account", direction),
  stage: statementsOf("stage", direction),
});
const statements = { newest: statementsInOrder("newest"), oldest: statementsInOrder("oldest") };

/** The values of a scan and of its filter. */
function scanValues(
  { subaccountId, way, beforeId, fromId, look }: PayoutScan,
  filter: PayoutScanFilter,
): unknown[] {
  const { stages, currency, amountMin, amountMax, receiverId, accountId } = filter;
  return [
    ...[subaccountId, beforeId, fromId, look, ...valuesOf(way)],
    ...[stages ?? null, currency ?? null],
    ...[amountMin?.toString() ?? null, amountMax?.toString() ?? null],
    ...[receiverId ?? null, accountId ?? null, filter.reference ?? null],
    ...[filter.batchId ?? null, filter.createdBy ?? null, filter.cause ?? null],
  ];
}

/** In the order of the scan: the matches among the rows that are read. */
export function scanPayouts(
  db: Runner,
  scan: PayoutScan,
  filter: PayoutScanFilter,
  limit: number,
): Promise<ListedPayout[]> {
  const { page } = statements[scan.direction][scan.way.by];
  return db.run(page, [...scanValues(scan, filter), limit]);
}

/** The last row of the scan, if there are more. */
export async function findLastPayoutScanned(
  db: Runner,
  { subaccountId, way, beforeId, fromId, look, direction }: PayoutScan,
): Promise<string | undefined> {
  const values = [subaccountId, beforeId, fromId, look, ...valuesOf(way)];
  return (await db.run(statements[direction][way.by].end, values))[0]?.id;
}

export const sortKeys = ["amount", "updated", "receiver"] as const;
/** What the newest payouts of a filter can be sorted by. Their age needs no sort. */
export type SortKey = (typeof sortKeys)[number];
export type PayoutSort = { by: SortKey; isDescending: boolean };

/** The columns that a filter and a sort need. */
const thin = `p.id, p.subaccount_id, p.stage, p.currency, p.amount, p.updated_at_ms, p.receiver_id, p.account_id,
       p.reference, p.batch_id, p.created_by, p.cause`;
const nameOf = `lower(trim(r.first_name || ' ' || r.last_name)) collate "C"`;
/**
 * The name of each receiver is read once, with its first payout, and given to the others. PostgreSQL would join names and
 * payouts row by row, because it expects few of them.
 */
const withKey: Record<SortKey, string> = {
  amount: "select p.id, p.amount as key from matched p",
  updated: "select p.id, p.updated_at_ms as key from matched p",
  receiver: `select p.id, max(p.name) over (partition by p.receiver_id) as key from (
         select p.id, p.receiver_id, case when row_number() over (partition by p.receiver_id) = 1 then (
           select ${nameOf} from receiver r where r.subaccount_id = $1 and r.id = p.receiver_id limit 1
         ) end as name from matched p
       ) p`,
};
/** The position of the last payout shown: numbers are in the cursor; a name is not, so it is read. */
const keyAfter = (by: SortKey, own: number) =>
  by === "receiver"
    ? `(select ${nameOf} from payout p join receiver r on r.subaccount_id = p.subaccount_id and r.id = p.receiver_id
        where p.subaccount_id = $1 and p.id = $${own + 12})`
    : `$${own + 13}::bigint`;

type SortedRow = Partial<ListedPayout> & { looked: number; top_id: string | null };

function sortedStatement(by: IndexScan["by"], { by: key, isDescending }: PayoutSort) {
  const own = ownValues[by];
  const [way, after] = isDescending ? [" desc", "<"] : ["", ">"];
  return statement<SortedRow>(
    `console-payouts-by-${by}-sorted-${key}-${isDescending ? "desc" : "asc"}`,
    `with looked as materialized (select ${thin} from (${walks.newest[by]}) p where p.subaccount_id = $1),
     matched as materialized (select p.* from looked p where p.subaccount_id = $1 and ${wanted(own)}),
     picked as (
       select p.* from (${withKey[key]}) p
       where $${own + 12}::uuid is null or (p.key, p.id) ${after} (${keyAfter(key, own)}, $${own + 12}::uuid)
       order by p.key${way}, p.id${way} limit $${own + 11}
     )
     select looking.looked, looking.top_id, p.*
     from (select count(*)::int as looked, (select p.id from looked p order by p.id desc limit 1) as top_id
           from looked) looking
     left join lateral (
       select k.key, ${listedColumns} from picked k cross join lateral (
         select * from payout p where p.subaccount_id = $1 and p.id = k.id limit 1
       ) p ${joinReceiverAndBank}
     ) p on true
     order by p.key${way}, p.id${way}`,
  );
}
const sortedStatements = new Map<string, ReturnType<typeof sortedStatement>>();

export type SortedPayouts = {
  rows: ListedPayout[];
  /** How many rows were read, and the newest of them. */
  scanned: number;
  topId: string | undefined;
};

/** Sorts the matches among the rows that are read. `after`: the last payout of the page before, and its key. */
export async function sortPayouts(
  db: Runner,
  scan: PayoutScan,
  filter: PayoutScanFilter,
  {
    sort,
    after,
    limit,
  }: { sort: PayoutSort; after: { id: string; key: bigint } | undefined; limit: number },
): Promise<SortedPayouts> {
  const name = [scan.way.by, sort.by, sort.isDescending].join();
  const sorted = sortedStatements.get(name) ?? sortedStatement(scan.way.by, sort);
  sortedStatements.set(name, sorted);
  const values = [...scanValues(scan, filter), limit, after?.id ?? null];
  if (sort.by !== "receiver") values.push(after?.key.toString() ?? null);
  const found = await db.run(sorted, values);
  return {
    rows: found.filter((row): row is SortedRow & ListedPayout => row.id != null),
    scanned: found[0]?.looked ?? 0,
    topId: found[0]?.top_id ?? undefined,
  };
}

type PayoutSum = { looked: number; currency: string | null; count: number; amount: string };

function sumStatement(by: IndexScan["by"]) {
  return statement<PayoutSum>(
    `console-payouts-sum-by-${by}`,
    `with looked as materialized (select ${thin} from (${walks.newest[by]}) p where p.subaccount_id = $1)
     select looking.looked, p.currency, coalesce(p.count, 0)::int as count, coalesce(p.amount, 0) as amount
     from (select count(*)::int as looked from looked) looking
     left join (
       select p.currency, count(*) as count, sum(p.amount) as amount from looked p
       where p.subaccount_id = $1 and ${wanted(ownValues[by])} group by p.currency
     ) p on true
     order by p.count desc, p.currency`,
  );
}
const sums = {
  age: sumStatement("age"),
  metadata: sumStatement("metadata"),
  batch: sumStatement("batch"),
  user: sumStatement("user"),
  reference: sumStatement("reference"),
  account: sumStatement("account"),
  stage: sumStatement("stage"),
};

/** Adds up the matches among the rows that are read, by currency. */
export function sumPayouts(
  db: Runner,
  scan: PayoutScan,
  filter: PayoutScanFilter,
): Promise<PayoutSum[]> {
  return db.run(sums[scan.way.by], scanValues(scan, filter));
}

const countReference = statement<{ count: number }>(
  "console-payouts-of-reference",
  // In the order of the index: without one, PostgreSQL may look through all payouts for a rare reference.
  `select count(*)::int as count from (
     select from payout where subaccount_id = $1 and reference = $2 order by account_id, amount, id limit $3
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
