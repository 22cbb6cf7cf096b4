// The SQL of suspense: items that wait for a user, and what was decided about them.

import { type Runner, statement, type Tx } from "../../platform/db/index.ts";
import type { InboundKind, SuspenseReason } from "../readers/index.ts";

export type SuspenseStatus =
  | "open"
  | "matched"
  | "split"
  | "returned"
  | "closed"
  | "funded"
  | "company"
  | "merged";

export type SuspenseRow = {
  id: string;
  connection_id: string;
  file_id: string;
  number: number;
  parent_id: string | null;
  kind: InboundKind;
  reason: SuspenseReason;
  code: string;
  bank_text: string;
  reference: string;
  day: string;
  account_tail: string;
  amount: string | null;
  currency: string;
  is_booked: boolean;
  subaccount_id: string | null;
  payout_id: string | null;
  status: SuspenseStatus;
  acts: number;
  created_at_ms: string;
};

const columns = `id, connection_id, file_id, number, parent_id, kind, reason, code, bank_text, reference, day,
  account_tail, amount, currency, is_booked, subaccount_id, payout_id, status, acts, created_at_ms`;

/** With the name that the statement has: of the payer, for a credit. */
export type NamedSuspense = SuspenseRow & { party: string };

const namedColumns = `${columns}, coalesce((
  select l.party from bank_statement s
  join bank_statement_line l on l.statement_id = s.id and l.report_number = bank_suspense_item.number
  where s.file_id = bank_suspense_item.file_id limit 1), '') as party`;

export type SuspenseToInsert = Omit<SuspenseRow, "status" | "acts" | "created_at_ms"> & {
  created_at_ms: number;
};

const insertMany = statement<never>(
  "bank-suspense-insert",
  `insert into bank_suspense_item (id, connection_id, file_id, number, parent_id, kind, reason, code, bank_text,
     reference, day, account_tail, amount, currency, is_booked, subaccount_id, payout_id, status, created_at_ms)
   select id, connection_id, file_id, number, parent_id, kind, reason, code, bank_text, reference, day, account_tail,
          amount, currency, is_booked, subaccount_id, payout_id, 'open', created_at_ms
   from json_to_recordset($1) as i(id uuid, connection_id uuid, file_id uuid, number int, parent_id uuid, kind text,
     reason text, code text, bank_text text, reference text, day text, account_tail text, amount bigint,
     currency text, is_booked boolean, subaccount_id uuid, payout_id uuid, created_at_ms bigint)`,
);

export async function insertSuspense(tx: Tx, items: readonly SuspenseToInsert[]): Promise<void> {
  await tx.run(insertMany, [JSON.stringify(items)]);
}

const listOldest = statement<NamedSuspense>(
  "bank-suspense-items",
  `select ${namedColumns} from bank_suspense_item
   where ($1::uuid is null or connection_id = $1) and ($2 or status = 'open') and id > $3 order by id limit $4`,
);

/** Oldest first. */
export function listSuspense(
  db: Runner,
  page: {
    connectionId?: string | undefined;
    includesDecided: boolean;
    afterId: string;
    limit: number;
  },
): Promise<NamedSuspense[]> {
  const { connectionId, includesDecided, afterId, limit } = page;
  return db.run(listOldest, [connectionId ?? null, includesDecided, afterId, limit]);
}

const lockOne = statement<SuspenseRow>(
  "bank-suspense-lock",
  `select ${columns} from bank_suspense_item where id = $1 for update`,
);

export async function lockSuspense(tx: Tx, id: string): Promise<SuspenseRow | undefined> {
  return (await tx.run(lockOne, [id]))[0];
}

const findOne = statement<NamedSuspense>(
  "bank-suspense-item",
  `select ${namedColumns} from bank_suspense_item where id = $1`,
);

export async function findSuspense(db: Runner, id: string): Promise<NamedSuspense | undefined> {
  return (await db.run(findOne, [id]))[0];
}

const lockChildren = statement<SuspenseRow>(
  "bank-suspense-parts",
  `select ${columns} from bank_suspense_item where parent_id = $1 and status <> 'merged' order by id for update`,
);

/** The parts that it was split into last. */
export function lockParts(tx: Tx, parentId: string): Promise<SuspenseRow[]> {
  return tx.run(lockChildren, [parentId]);
}

const listNotified = statement<SuspenseRow>(
  "bank-suspense-notified",
  `select ${columns} from bank_suspense_item
   where connection_id = $1 and status = 'open' and is_booked and file_id <> $2 and reference = any($3) and reference <> ''
     and not exists (select from bank_statement s where s.file_id = bank_suspense_item.file_id and s.kind = 'statement')
   order by id for update`,
);

/** Money that files before the statement told of, with one of these references. */
export function lockNotified(
  tx: Tx,
  request: { connectionId: string; fileId: string; references: readonly string[] },
): Promise<SuspenseRow[]> {
  return tx.run(listNotified, [request.connectionId, request.fileId, request.references]);
}

const setStatus = statement<never>(
  "bank-suspense-status",
  "update bank_suspense_item set status = $2, acts = acts + $3 where id = $1",
);

export type SuspenseAct = {
  number: number;
  act: "match" | "split" | "return" | "close" | "fund" | "company" | "undo";
  reason: string;
  subaccount_id: string | null;
  payout_id: string | null;
  /** Of a funding, or of money that was given to the company. */
  transfer_id: string | null;
  at_ms: string;
  who: string;
};

const insertOneAct = statement<never>(
  "bank-suspense-act-insert",
  `insert into bank_suspense_act (item_id, number, act, reason, subaccount_id, payout_id, transfer_id, at_ms, who)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);

/** Under the lock of the item. */
export async function recordSuspenseAct(
  tx: Tx,
  { id, acts }: Pick<SuspenseRow, "id" | "acts">,
  status: SuspenseStatus,
  act: Omit<SuspenseAct, "number" | "at_ms"> & { at_ms: number },
): Promise<void> {
  const { reason, subaccount_id, payout_id, transfer_id, at_ms, who } = act;
  const about = [subaccount_id, payout_id, transfer_id];
  await tx.run(setStatus, [id, status, 1]);
  await tx.run(insertOneAct, [id, acts + 1, act.act, reason, ...about, at_ms, who]);
}

export async function mergePart(tx: Tx, id: string): Promise<void> {
  await tx.run(setStatus, [id, "merged", 0]);
}

const listOfItem = statement<SuspenseAct>(
  "bank-suspense-acts",
  `select number, act, reason, subaccount_id, payout_id, transfer_id, at_ms, who from bank_suspense_act
   where item_id = $1 order by number`,
);

/** Oldest first. */
export function listSuspenseActs(db: Runner, itemId: string): Promise<SuspenseAct[]> {
  return db.run(listOfItem, [itemId]);
}

export type SuspenseCandidate = {
  subaccount_id: string;
  payout_id: string;
  stage: string;
  /** What went to the bank. */
  amount: string;
  currency: string;
  process_date: string;
  file_reference: string;
  /** The receiver's. */
  name: string;
  account_number_tail: string;
  /** A line of a statement has paid it, alone or with its file. */
  is_matched: boolean;
};

const findCandidates = statement<SuspenseCandidate>(
  "bank-suspense-candidates",
  `select found.*,
          exists (select from bank_match m where m.subaccount_id = found.subaccount_id and m.payout_id = found.payout_id
                    and m.kind = 'payout' and not m.is_undone)
            or exists (select from bank_match m where m.batch_id = found.batch_id and m.kind = 'batch' and not m.is_undone)
            as is_matched
   from (
   select l.subaccount_id, l.payout_id, l.batch_id, l.line, p.stage, coalesce(p.sent_amount, p.amount) as amount, p.currency,
          b.process_date, l.file_reference, d.account_number_tail, concat_ws(' ', r.first_name, r.last_name) as name
   from bank_batch b
   join bank_batch_line l on l.batch_id = b.id
   join payout p on p.subaccount_id = l.subaccount_id and p.id = l.payout_id
   join bank_details d on d.subaccount_id = p.subaccount_id and d.account_id = p.account_id
     and d.version = p.account_version
   join receiver r on r.subaccount_id = p.subaccount_id and r.id = p.receiver_id
   where b.connection_id = $1 and b.status <> 'discarded' and b.process_date between $2 and $3
     and p.stage in ('submitted', 'settled')
     and (coalesce(p.sent_amount, p.amount) = $4
          or case when $8 = '' then lower(l.file_reference) = lower($5) or l.payout_id = $6
             else strpos(lower(l.file_reference), lower($8)) > 0
               or strpos(lower(concat_ws(' ', r.first_name, r.last_name)), lower($8)) > 0 end)
   order by b.process_date desc, l.batch_id, l.line limit $7
   ) found order by process_date desc, batch_id, line`,
);

export type CandidateSearch = {
  connectionId: string;
  fromDate: string;
  toDate: string;
  amount: string | null;
  reference: string;
  payoutId: string | null;
  /** Part of a name or reference, instead of the reference and the payout. */
  text?: string;
  limit: number;
};

/** Payouts that were sent in these days and fit in one respect at least. */
export function listCandidates(db: Runner, search: CandidateSearch): Promise<SuspenseCandidate[]> {
  const { connectionId, fromDate, toDate, amount, reference, payoutId, text = "", limit } = search;
  return db.run(findCandidates, [
    connectionId,
    fromDate,
    toDate,
    amount,
    reference,
    payoutId,
    limit,
    text,
  ]);
}

const countOpen = statement<{ items: string; oldest_ms: string | null }>(
  "bank-suspense-count",
  `with open as not materialized (
     select i.created_at_ms from bank_suspense_item i join bank_connection c on c.id = i.connection_id
     where i.status = 'open' and c.mode = 'live'
   )
   select (select count(*) from (select 1 from open limit $1) counted) as items,
          (select min(created_at_ms) from open) as oldest_ms`,
);

/** How many of live connections wait for a user, counted up to a maximum, and since when the oldest does. */
export async function countSuspense(
  db: Runner,
  max: number,
): Promise<{ items: number; oldestMs: number | undefined }> {
  const [row] = await db.run(countOpen, [max]);
  const oldest = row?.oldest_ms ?? null;
  return { items: Number(row?.items ?? 0), oldestMs: oldest === null ? undefined : Number(oldest) };
}

export type EarlierPayer = { party: string; subaccount_id: string; deposits: string };

const earlierPayers = statement<EarlierPayer>(
  "bank-suspense-payers",
  // Only credits of the same party are read, by their index.
  `select l.party, m.subaccount_id, count(*) as deposits
   from bank_inbound_line i
   join bank_statement s on s.file_id = i.file_id
   join bank_statement_line here on here.statement_id = s.id and here.report_number = i.number
   cross join lateral (
     select id, party from bank_statement_line
     where connection_id = here.connection_id and party = here.party and party <> '' and amount > 0
     order by id desc limit $3
   ) l
   join bank_match m on m.line_id = l.id and m.kind = 'fund' and not m.is_undone
   where i.file_id = $1 and i.number = $2 group by 1, 2 order by deposits desc`,
);

/** The subaccounts that the same payer has funded before, most often first. */
export function listEarlierPayers(
  db: Runner,
  { file_id, number }: Pick<SuspenseRow, "file_id" | "number">,
  limit: number,
): Promise<EarlierPayer[]> {
  return db.run(earlierPayers, [file_id, number, limit]);
}
