// The SQL of files from banks: the file, its lines, and the payouts that its lines name.

import { type FeeKeepingMove, type PayoutRow, payoutColumns } from "../../money/payouts/index.ts";
import {
  isStillHere,
  isUniqueViolation,
  type Runner,
  statement,
  type Tx,
} from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { BatchStatus } from "../files/index.ts";
import type { InboundKind, ReportSource } from "../readers/index.ts";

export type InboundCounts = {
  lines: number;
  applied: number;
  noted: number;
  suspended: number;
  repeated: number;
};

export type InboundFileRow = InboundCounts & {
  id: string;
  connection_id: string;
  connection_name: string;
  sha256: string;
  name: string;
  format: string;
  bytes: string;
  received_at_ms: string;
  received_by: string;
  /** The second user; empty where it needed none. */
  confirmed_by: string;
};

export const inboundFileColumns = `id, connection_id,
  (select c.name from bank_connection c where c.id = connection_id) as connection_name, sha256, name, format, bytes,
  received_at_ms, received_by, confirmed_by, lines, applied, noted, suspended, repeated`;

const findByHash = statement<InboundFileRow>(
  "bank-inbound-file-by-hash",
  `select ${inboundFileColumns} from bank_inbound_file where sha256 = $1`,
);

export async function findInboundFile(
  db: Runner,
  sha256: string,
): Promise<InboundFileRow | undefined> {
  return (await db.run(findByHash, [sha256]))[0];
}

const listNewest = statement<InboundFileRow>(
  "bank-inbound-files",
  `select ${inboundFileColumns} from bank_inbound_file
   where ($1::uuid is null or connection_id = $1) and id < $2 order by id desc limit $3`,
);

/** Newest first. */
export function listInboundFiles(
  db: Runner,
  page: { connectionId?: string | undefined; beforeId: string; limit: number },
): Promise<InboundFileRow[]> {
  return db.run(listNewest, [page.connectionId ?? null, page.beforeId, page.limit]);
}

const insertFile = statement<never>(
  "bank-inbound-file-insert",
  `insert into bank_inbound_file (id, connection_id, sha256, name, format, bytes, received_at_ms, received_by,
     confirmed_by, lines, applied, noted, suspended, repeated)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, 0, 0, 0, 0)`,
);

export type NewInboundFile = Pick<
  InboundFileRow,
  "id" | "connection_id" | "sha256" | "name" | "format" | "received_by" | "confirmed_by"
> & { bytes: number; received_at_ms: number };

export async function insertInboundFile(tx: Tx, file: NewInboundFile): Promise<void> {
  await tx.run(insertFile, [
    file.id,
    file.connection_id,
    file.sha256,
    file.name,
    file.format,
    file.bytes,
    file.received_at_ms,
    file.received_by,
    file.confirmed_by,
  ]);
}

export function isAppliedBefore(error: unknown): boolean {
  return isUniqueViolation(error, "bank_inbound_file_applied");
}

const countFile = statement<InboundFileRow>(
  "bank-inbound-file-count",
  `update bank_inbound_file set lines = $2, applied = $3, noted = $4, suspended = $5, repeated = $6 where id = $1
   returning ${inboundFileColumns}`,
);

/** At the end of the file. */
export async function setInboundCounts(
  tx: Tx,
  id: string,
  counts: InboundCounts,
): Promise<InboundFileRow> {
  const { lines, applied, noted, suspended, repeated } = counts;
  const [row] = await tx.run(countFile, [id, lines, applied, noted, suspended, repeated]);
  return row as InboundFileRow;
}

const insertChunk = statement<never>(
  "bank-inbound-chunk-insert",
  "insert into bank_inbound_chunk (file_id, number, sealed) values ($1, $2, $3)",
);

export async function insertInboundChunk(
  tx: Tx,
  chunk: { fileId: string; number: number; sealed: Buffer },
): Promise<void> {
  await tx.run(insertChunk, [chunk.fileId, chunk.number, chunk.sealed]);
}

const readByIndex = statement<never>(
  "bank-inbound-by-index",
  "select set_config('enable_seqscan', 'off', true)",
);

/**
 * For this transaction. A large file grows the tables far beyond their statistics: a scan that was the best plan for the
 * first page would be repeated for every line of the last.
 */
export async function avoidScans(tx: Tx): Promise<void> {
  await tx.run(readByIndex);
}

const findItems = statement<{ item_key: string }>(
  "bank-inbound-items",
  `select known.item_key from unnest($2::text[]) input(item_key)
   cross join lateral (
     select item_key from bank_inbound_line where connection_id = $1 and item_key = input.item_key limit 1
   ) known`,
);

/** Those of the items that an earlier file reported. */
export async function findKnownItems(
  tx: Tx,
  connectionId: string,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.run(findItems, [connectionId, keys]);
  return new Set(rows.map(({ item_key }) => item_key));
}

const findReturnSources = statement<{ source: ReportSource }>(
  "bank-inbound-return-sources",
  // Lines of earlier versions have none: there the format of the file tells it.
  `select distinct coalesce(i.source, case when f.format like 'camt.053%' or f.format in ('bai2', 'csv') then 'statement'
     when f.format like 'camt.%' then 'notification' else 'returns' end) as source
   from bank_inbound_line i join bank_inbound_file f on f.id = i.file_id
   where i.subaccount_id = $1 and i.payout_id = $2 and i.kind = 'return' and i.outcome in ('applied', 'noted')`,
);

/** In which kinds of reports the payout's return came. */
export async function listReturnSources(
  tx: Tx,
  { subaccount_id, id }: Pick<LockedPayout, "subaccount_id" | "id">,
): Promise<ReportSource[]> {
  const rows = await tx.run(findReturnSources, [subaccount_id, id]);
  return rows.map(({ source }) => source);
}

/** A payout in a file that we wrote. */
export type SentLine = {
  subaccount_id: string;
  payout_id: string;
  batch_id: string;
  line: number;
  match_key: string;
  process_date: string;
  batch_status: BatchStatus;
  connection_id: string;
  bsb: string;
  bank_code: string;
};

// Every table is read by its key, row by row, which the limits enforce. PostgreSQL can't estimate how few rows there
// are, and would scan the tables for each page of lines.
const sentLines = (condition: string) => `
   select l.subaccount_id, l.payout_id, l.batch_id, l.line, l.match_key, b.process_date, b.status as batch_status,
          b.connection_id, d.bsb, d.bank_code
   from input
   cross join lateral (select * from bank_batch_line where ${condition} limit ${limits.inboundCandidatesMax}) l
   cross join lateral (select * from bank_batch where id = l.batch_id limit 1) b
   cross join lateral (
     select * from payout where subaccount_id = l.subaccount_id and id = l.payout_id limit 1) p
   cross join lateral (
     select * from bank_details
     where subaccount_id = p.subaccount_id and account_id = p.account_id and version = p.account_version limit 1) d
   where ${isStillHere("l.subaccount_id")}`;

const findByPayout = statement<SentLine>(
  "bank-inbound-by-payout",
  `with input as (select unnest($1::uuid[]) as payout_id) ${sentLines("payout_id = input.payout_id")}`,
);

/** By our own reference. */
export function findSentByPayout(tx: Tx, payoutIds: readonly string[]): Promise<SentLine[]> {
  return tx.run(findByPayout, [payoutIds]);
}

const findByKey = statement<SentLine>(
  "bank-inbound-by-key",
  `with input as (select unnest($1::text[]) as match_key)
   ${sentLines("match_key = input.match_key and match_key <> ''")}`,
);

/** By account, amount and reference. */
export function findSentByKey(tx: Tx, matchKeys: readonly string[]): Promise<SentLine[]> {
  return tx.run(findByKey, [matchKeys]);
}

export type LockedPayout = PayoutRow & { subaccount_id: string };

const lockMany = statement<LockedPayout>(
  "bank-inbound-lock",
  // In the order of their keys, as every statement that locks payouts.
  `select ${payoutColumns}, p.subaccount_id
   from (select distinct * from unnest($1::uuid[], $2::uuid[]) k(subaccount_id, id) order by 1, 2) key
   cross join lateral (
     select * from payout where subaccount_id = key.subaccount_id and id = key.id for no key update
   ) p`,
);

export function lockPayouts(
  tx: Tx,
  keys: readonly Pick<SentLine, "subaccount_id" | "payout_id">[],
): Promise<LockedPayout[]> {
  return tx.run(lockMany, [
    keys.map(({ subaccount_id }) => subaccount_id),
    keys.map(({ payout_id }) => payout_id),
  ]);
}

export type NewInboundLine = {
  number: number;
  line: number;
  item_key: string | null;
  kind: InboundKind;
  source: ReportSource;
  code: string;
  bank_text: string;
  reference: string;
  day: string;
  amount: string | null;
  currency: string;
  subaccount_id: string | null;
  payout_id: string | null;
  batch_id: string | null;
  outcome: "applied" | "noted" | "suspended" | "repeated";
  detail: string;
};

const lineTypes = {
  number: "int",
  line: "int",
  item_key: "text",
  kind: "text",
  source: "text",
  code: "text",
  bank_text: "text",
  reference: "text",
  day: "text",
  amount: "bigint",
  currency: "text",
  subaccount_id: "uuid",
  payout_id: "uuid",
  batch_id: "uuid",
  outcome: "text",
  detail: "text",
} as const satisfies Record<keyof NewInboundLine, string>;
const lineColumns = Object.keys(lineTypes) as (keyof NewInboundLine)[];

const insertLines = statement<never>(
  "bank-inbound-lines-insert",
  `insert into bank_inbound_line (file_id, connection_id, ${lineColumns.join(", ")})
   select $1, $2, l.* from unnest(${Object.values(lineTypes)
     .map((type, index) => `$${index + 3}::${type}[]`)
     .join(", ")}) l`,
);

export async function insertInboundLines(
  tx: Tx,
  { fileId, connectionId }: { fileId: string; connectionId: string },
  lines: readonly NewInboundLine[],
): Promise<void> {
  const values = lineColumns.map((column) => lines.map((line) => line[column]));
  await tx.run(insertLines, [fileId, connectionId, ...values]);
}

const findConnection = statement<{ connection_id: string }>(
  "bank-inbound-connection",
  // A payment of a discarded file was not sent.
  `select b.connection_id from bank_batch b
   where b.id = $1 or (b.status <> 'discarded' and b.id in (select batch_id from bank_batch_line where payout_id = $2))
   limit 1`,
);

/** The connection that sent a batch or a payout. */
export async function findSendingConnection(
  db: Runner,
  { batchId, payoutId }: { batchId: string; payoutId: string },
): Promise<string | undefined> {
  const [row] = await db.run(findConnection, [batchId || null, payoutId || null]);
  return row?.connection_id;
}

const findUnnamed = statement<LockedPayout & { line: number }>(
  "bank-inbound-unnamed",
  `select ${payoutColumns}, p.subaccount_id, l.line
   from bank_batch_line l
   join payout p on p.subaccount_id = l.subaccount_id and p.id = l.payout_id
   where l.batch_id = $1 and l.line > $2 and p.stage = 'submitted' and p.bank_batch_id = l.batch_id
     and not exists (select from bank_inbound_line i
                     where i.subaccount_id = l.subaccount_id and i.payout_id = l.payout_id and i.file_id = $3)
   order by l.line limit $4`,
);

/** The payouts of a batch that have no outcome, and that a file does not name one by one. */
export function listUnnamedPayouts(
  tx: Tx,
  page: { batchId: string; fileId: string; afterLine: number; limit: number },
) {
  return tx.run(findUnnamed, [page.batchId, page.afterLine, page.fileId, page.limit]);
}

type AppliedLine = {
  number: number;
  move: FeeKeepingMove;
  subaccount_id: string;
  payout_id: string;
};

const findApplied = statement<AppliedLine>(
  "bank-inbound-applied",
  `select number, detail as move, subaccount_id, payout_id from bank_inbound_line
   where file_id = $1 and number > $2 and outcome = 'applied' and payout_id is not null order by number limit $3`,
);

/** The lines of a file that moved a payout, in their order. */
export function listAppliedLines(
  tx: Tx,
  page: { fileId: string; afterNumber: number; limit: number },
): Promise<AppliedLine[]> {
  return tx.run(findApplied, [page.fileId, page.afterNumber, page.limit]);
}
