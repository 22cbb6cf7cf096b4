// The SQL that compares the books of a bank connection with its statements, item by item.

import { type Runner, statement, type Tx } from "../../platform/db/index.ts";

/**
 * An item is what the books and the bank have in common: a bank batch, a credit that was suspended, a statement line, or a
 * transfer that no line explains. In the books less on the statements is what is in transit.
 */
type ItemSum = { item: string; amount: string };
/** With the day of the last movement of the item. */
type DatedSum = ItemSum & { last_day: string };

export type PositionSpan = {
  rail: string;
  connectionId: string;
  /** After this day, and up to that one: YYYY-MM-DD, by the days on which statements end. */
  afterDay: string;
  toDay: string;
  /** The same in the books, in UTC. */
  fromMs: number;
  toMs: number;
};

const booked = statement<DatedSum>(
  "bank-position-booked",
  // Over all subaccounts whose money is at this bank; the accounts' names lead to their transfers.
  `with moved as materialized (
     select subaccount_id, id, kind, payout_id, reverses_id, reference, amount, created_at_ms from ledger_transfer
     where debit = $1 and debit like 'bank:%' and created_at_ms >= $2 and created_at_ms < $3
     union all
     select subaccount_id, id, kind, payout_id, reverses_id, reference, -amount, created_at_ms from ledger_transfer
     where credit = $1 and credit like 'bank:%' and created_at_ms >= $2 and created_at_ms < $3
   ), placed as (
     select t.amount, t.created_at_ms,
            case
              when t.payout_id is not null and t.kind = 'return' and a.file_id is not null
                then 'report:' || a.file_id || ':' || a.number
              when p.bank_batch_id is not null then 'batch:' || p.bank_batch_id
              when t.kind in ('suspend', 'unsuspend') then 'report:' || i.file_id || ':' || i.number
              when m.line_id is not null then 'line:' || m.line_id
              when g.file_id is not null then 'report:' || g.file_id || ':' || g.number
              when t.reference like 'opening %' then 'opening:' || substr(t.reference, 9)
              when t.kind in ('company_in', 'company_out') and t.reference ~ '^[0-9a-f-]{36}$'
                then 'line:' || t.reference
              else 'transfer:' || coalesce(t.reverses_id, t.id)
            end as item
     from moved t
     left join lateral (
       select bank_batch_id from payout where subaccount_id = t.subaccount_id and id = t.payout_id limit 1
     ) p on t.payout_id is not null
     left join lateral (
       select i.file_id, i.number from bank_suspense_act a join bank_suspense_item i on i.id = a.item_id
       where a.payout_id = t.payout_id and a.act = 'match' limit 1
     ) a on t.payout_id is not null and t.kind = 'return'
     left join lateral (
       select file_id, number from bank_suspense_item
       where id = case when t.kind in ('suspend', 'unsuspend') then t.reference::uuid end
     ) i on t.kind in ('suspend', 'unsuspend')
     left join lateral (
       select line_id from bank_match
       where subaccount_id = t.subaccount_id and transfer_id = coalesce(t.reverses_id, t.id) limit 1
     ) m on t.payout_id is null
     left join lateral (
       select i.file_id, i.number from bank_suspense_act a join bank_suspense_item i on i.id = a.item_id
       where a.transfer_id = coalesce(t.reverses_id, t.id) limit 1
     ) g on t.payout_id is null
   )
   select item, sum(amount)::bigint as amount,
          to_char(to_timestamp(max(created_at_ms) / 1000.0) at time zone 'UTC', 'YYYY-MM-DD') as last_day
   from placed group by item`,
);

/** What the books have for each item. */
export function sumBooked(db: Runner, { rail, fromMs, toMs }: PositionSpan): Promise<DatedSum[]> {
  return db.run(booked, [`bank:${rail}`, fromMs, toMs]);
}

const onStatements = statement<DatedSum>(
  "bank-position-on-statements",
  `with lines as (
     select l.id, l.amount, l.day, l.status, l.report_number, s.file_id
     from bank_statement s join bank_statement_line l on l.statement_id = s.id
     where s.connection_id = $1 and s.kind = 'statement' and s.to_day > $2 and s.to_day <= $3
       and l.status not in ('doubtful', 'repeated')
   ), placed as (
     select coalesce(m.amount, l.amount) as amount, l.day,
            case
              when l.status = 'suspended' then 'report:' || l.file_id || ':' || l.report_number
              when m.batch_id is not null then 'batch:' || m.batch_id
              else 'line:' || l.id
            end as item
     from lines l
     left join bank_match m on m.line_id = l.id and not m.is_undone and m.kind <> 'undo'
   )
   select item, sum(amount)::bigint as amount, max(day) as last_day from placed group by item`,
);

/** What statements have for each item. */
export function sumOnStatements(db: Runner, span: PositionSpan): Promise<DatedSum[]> {
  return db.run(onStatements, [span.connectionId, span.afterDay, span.toDay]);
}

const openings = statement<{ amount: string }>(
  "bank-position-openings",
  `select coalesce(sum(case when debit = $1 then amount else -amount end), 0)::bigint as amount from ledger_transfer
   where (debit = $1 and debit like 'bank:%' or credit = $1 and credit like 'bank:%')
     and kind in ('company_in', 'company_out') and reference like 'opening %'`,
);

/** What was taken into the books as the balance before the first statement, at any time. */
export async function sumOpenings(db: Runner, rail: string): Promise<bigint> {
  return BigInt((await db.run(openings, [`bank:${rail}`]))[0]?.amount ?? 0);
}

const unsettled = statement<{ id: string }>(
  "bank-position-unsettled",
  `select b.id from bank_batch b where b.id = any($1) and exists (
     select from bank_batch_line l join payout p on p.subaccount_id = l.subaccount_id and p.id = l.payout_id
     where l.batch_id = b.id and p.stage = 'submitted')`,
);

/** Those of the files whose payouts do not all have their outcome. */
export async function findUnsettled(
  db: Runner,
  batchIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (batchIds.length === 0) return new Set();
  return new Set((await db.run(unsettled, [batchIds])).map(({ id }) => id));
}

export type ClosingRow = {
  connection_id: string;
  month: string;
  currency: string;
  statement_id: string;
  books: string;
  bank: string;
  in_transit: string;
  csv_sha256: string;
  pdf_sha256: string;
  closed_at_ms: string;
  closed_by: string;
};

const closingColumns = `connection_id, month, currency, statement_id, books, bank, in_transit, csv_sha256, pdf_sha256,
  closed_at_ms, closed_by`;

const lastClosing = statement<ClosingRow>(
  "bank-closing-last",
  `select ${closingColumns} from bank_closing where connection_id = $1 and month < $2 order by month desc limit 1`,
);

/** The last closed month before one. */
export async function findClosingBefore(
  db: Runner,
  connectionId: string,
  month: string,
): Promise<ClosingRow | undefined> {
  return (await db.run(lastClosing, [connectionId, month]))[0];
}

const listAll = statement<ClosingRow>(
  "bank-closings",
  `select ${closingColumns} from bank_closing where ($1::uuid is null or connection_id = $1) order by month desc, connection_id
   limit $2`,
);

export function listClosings(
  db: Runner,
  connectionId: string | undefined,
  limit: number,
): Promise<ClosingRow[]> {
  return db.run(listAll, [connectionId ?? null, limit]);
}

const itemsOfClosing = statement<ItemSum>(
  "bank-closing-items",
  "select item, amount from bank_closing_item where connection_id = $1 and month = $2",
);

export function listClosingItems(
  db: Runner,
  connectionId: string,
  month: string,
): Promise<ItemSum[]> {
  return db.run(itemsOfClosing, [connectionId, month]);
}

const insertOne = statement<never>(
  "bank-closing-insert",
  `insert into bank_closing (connection_id, month, currency, statement_id, books, bank, in_transit, csv, csv_sha256, pdf,
     pdf_sha256, closed_at_ms, closed_by)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
);
const insertItems = statement<never>(
  "bank-closing-items-insert",
  `insert into bank_closing_item (connection_id, month, item, amount)
   select $1, $2, * from unnest($3::text[], $4::bigint[])`,
);

export type NewClosing = ClosingRow & {
  csv: Buffer;
  pdf: Buffer;
  items: readonly { item: string; amount: bigint }[];
};

/** The primary key makes sure that a month is closed once. */
export async function insertClosing(tx: Tx, closing: NewClosing): Promise<void> {
  const { connection_id, month, items } = closing;
  await tx.run(insertOne, [
    connection_id,
    month,
    closing.currency,
    closing.statement_id,
    closing.books,
    closing.bank,
    closing.in_transit,
    closing.csv,
    closing.csv_sha256,
    closing.pdf,
    closing.pdf_sha256,
    closing.closed_at_ms,
    closing.closed_by,
  ]);
  await tx.run(insertItems, [
    connection_id,
    month,
    items.map(({ item }) => item),
    items.map(({ amount }) => amount.toString()),
  ]);
}

const findDocument = statement<{ csv: Buffer; pdf: Buffer }>(
  "bank-closing-document",
  "select csv, pdf from bank_closing where connection_id = $1 and month = $2",
);

export async function findClosingDocument(
  db: Runner,
  connectionId: string,
  month: string,
): Promise<{ csv: Buffer; pdf: Buffer } | undefined> {
  return (await db.run(findDocument, [connectionId, month]))[0];
}

/** An item in words: what it is, when it began, and what it came to. */
export type DescribedItem = { item: string; day: string; text: string };

const describeBatches = statement<DescribedItem>(
  "bank-position-batches",
  `select 'batch:' || b.id as item, b.process_date as day, 'bank file ' || b.file_name as text
   from bank_batch b where b.id = any($1)`,
);
const describeLines = statement<DescribedItem>(
  "bank-position-lines",
  `select 'line:' || l.id as item, l.day,
          concat_ws(' ', 'statement line', nullif(l.party, ''), nullif(l.reference, ''), nullif(l.bank_text, '')) as text
   from bank_statement_line l where l.id = any($1)`,
);
const describeReports = statement<DescribedItem>(
  "bank-position-reports",
  `select 'report:' || i.file_id || ':' || i.number as item, i.day,
          concat_ws(' ', case i.kind when 'return' then 'return' else 'credit' end, nullif(i.reference, ''),
                    nullif(i.bank_text, '')) as text
   from unnest($1::uuid[], $2::int[]) given(file_id, number)
   join bank_inbound_line i on i.file_id = given.file_id and i.number = given.number`,
);
const describeTransfers = statement<DescribedItem>(
  "bank-position-transfers",
  `select 'transfer:' || t.id as item, to_char(to_timestamp(t.created_at_ms / 1000.0) at time zone 'UTC', 'YYYY-MM-DD') as day,
          'transfer ' || t.reference as text
   from ledger_transfer t
   where (t.debit = $2 and t.debit like 'bank:%' or t.credit = $2 and t.credit like 'bank:%') and t.id = any($1)`,
);

/** By their names. Those that the database does not know are left out. */
export async function describeItems(
  db: Runner,
  names: readonly string[],
  rail: string,
): Promise<ReadonlyMap<string, DescribedItem>> {
  const ofKind = (kind: string) =>
    names.filter((name) => name.startsWith(`${kind}:`)).map((name) => name.slice(kind.length + 1));
  const reports = ofKind("report").map((name) => name.split(":"));
  const found = [
    await db.run(describeBatches, [ofKind("batch")]),
    await db.run(describeLines, [ofKind("line")]),
    await db.run(describeReports, [
      reports.map(([id]) => id),
      reports.map(([, number]) => Number(number)),
    ]),
    await db.run(describeTransfers, [ofKind("transfer"), `bank:${rail}`]),
  ].flat();
  return new Map(found.map((one) => [one.item, one]));
}
