// The SQL of bank batches: their state, their approvals, and the chunks of their files.

import { type Runner, statement, type Tx } from "../../platform/db/index.ts";
import type { BatchStatus } from "./states.ts";

export type BankBatchRow = {
  id: string;
  connection_id: string;
  sequence: string;
  status: BatchStatus;
  process_date: string;
  cutoff_ms: string;
  payouts: number;
  total: string;
  currency: string;
  file_name: string;
  file_sha256: string;
  file_bytes: string;
  frozen_at_ms: string;
  frozen_by: string;
  approved_by: string[];
  approved_at_ms: string | null;
  downloaded_at_ms: string | null;
  /** When a user first read its bytes, before it was sent. */
  read_at_ms: string | null;
  downloaded_by: string;
  sent_at_ms: string | null;
  sent_by: string;
  bank_reference: string;
  discard_by: string;
  discard_asked_at_ms: string | null;
  discarded_at_ms: string | null;
};

const columns = `id, connection_id, sequence, status, process_date, cutoff_ms, payouts, total, currency, file_name,
  file_sha256, file_bytes, frozen_at_ms, frozen_by, approved_by, approved_at_ms, downloaded_at_ms, downloaded_by, read_at_ms,
  sent_at_ms, sent_by, bank_reference, discard_by, discard_asked_at_ms, discarded_at_ms`;

export type NewBatch = Pick<
  BankBatchRow,
  | "id"
  | "connection_id"
  | "process_date"
  | "payouts"
  | "currency"
  | "file_name"
  | "file_sha256"
  | "frozen_by"
> & {
  sequence: number;
  cutoff_ms: number;
  total: bigint;
  file_bytes: number;
  frozen_at_ms: number;
};

const insertOne = statement<never>(
  "bank-batch-insert",
  `insert into bank_batch (id, connection_id, sequence, status, process_date, cutoff_ms, payouts, total, currency,
     file_name, file_sha256, file_bytes, frozen_at_ms, frozen_by)
   values ($1, $2, $3, 'frozen', $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
);

export async function insertBatch(tx: Tx, batch: NewBatch): Promise<void> {
  await tx.run(insertOne, [
    batch.id,
    batch.connection_id,
    batch.sequence,
    batch.process_date,
    batch.cutoff_ms,
    batch.payouts,
    batch.total.toString(),
    batch.currency,
    batch.file_name,
    batch.file_sha256,
    batch.file_bytes,
    batch.frozen_at_ms,
    batch.frozen_by,
  ]);
}

const lockOne = statement<BankBatchRow>(
  "bank-batch-lock",
  `select ${columns} from bank_batch where id = $1 for update`,
);

export async function lockBatch(tx: Tx, id: string): Promise<BankBatchRow | undefined> {
  return (await tx.run(lockOne, [id]))[0];
}

const findOne = statement<BankBatchRow>(
  "bank-batch",
  `select ${columns} from bank_batch where id = $1`,
);

export async function findBatch(db: Runner, id: string): Promise<BankBatchRow | undefined> {
  return (await db.run(findOne, [id]))[0];
}

const listNewest = statement<BankBatchRow>(
  "bank-batches",
  `select ${columns} from bank_batch
   where ($1::uuid is null or connection_id = $1) and ($2::text[] is null or status = any($2)) and id < $3
   order by id desc limit $4`,
);

export type BatchPage = {
  connectionId?: string | undefined;
  statuses?: readonly BatchStatus[] | undefined;
  beforeId: string;
  limit: number;
};

/** Newest first. */
export function listBatches(db: Runner, page: BatchPage): Promise<BankBatchRow[]> {
  return db.run(listNewest, [
    page.connectionId ?? null,
    page.statuses ?? null,
    page.beforeId,
    page.limit,
  ]);
}

export type BatchChange = Partial<
  Pick<
    BankBatchRow,
    "status" | "approved_by" | "downloaded_by" | "sent_by" | "bank_reference" | "discard_by"
  >
> &
  Partial<
    Record<
      | "approved_at_ms"
      | "downloaded_at_ms"
      | "read_at_ms"
      | "sent_at_ms"
      | "discard_asked_at_ms"
      | "discarded_at_ms",
      number
    >
  >;

const changeOne = statement<never>(
  "bank-batch-change",
  `update bank_batch set
     status = coalesce($2, status), approved_by = coalesce($3, approved_by),
     approved_at_ms = coalesce($4, approved_at_ms), downloaded_by = coalesce($5, downloaded_by),
     downloaded_at_ms = coalesce($6, downloaded_at_ms), sent_by = coalesce($7, sent_by),
     sent_at_ms = coalesce($8, sent_at_ms), bank_reference = coalesce($9, bank_reference),
     discard_by = coalesce($10, discard_by), discarded_at_ms = coalesce($11, discarded_at_ms),
     read_at_ms = coalesce(read_at_ms, $12), discard_asked_at_ms = coalesce($13, discard_asked_at_ms)
   where id = $1`,
);

/** Under the lock of the batch. */
export async function changeBatch(tx: Tx, id: string, change: BatchChange): Promise<void> {
  await tx.run(changeOne, [
    id,
    change.status ?? null,
    change.approved_by ?? null,
    change.approved_at_ms ?? null,
    change.downloaded_by ?? null,
    change.downloaded_at_ms ?? null,
    change.sent_by ?? null,
    change.sent_at_ms ?? null,
    change.bank_reference ?? null,
    change.discard_by ?? null,
    change.discarded_at_ms ?? null,
    change.read_at_ms ?? null,
    change.discard_asked_at_ms ?? null,
  ]);
}

const forgetDiscard = statement<never>(
  "bank-batch-discard-expire",
  "update bank_batch set discard_by = '', discard_asked_at_ms = null where id = $1",
);

/** No user has asked to discard it. Under the lock of the batch. */
export async function clearDiscardRequest(tx: Tx, id: string): Promise<void> {
  await tx.run(forgetDiscard, [id]);
}

const insertChunk = statement<never>(
  "bank-batch-chunk-insert",
  "insert into bank_batch_chunk (batch_id, number, sealed) values ($1, $2, $3)",
);

export async function insertFileChunk(
  tx: Tx,
  chunk: { batchId: string; number: number; sealed: Buffer },
): Promise<void> {
  await tx.run(insertChunk, [chunk.batchId, chunk.number, chunk.sealed]);
}

const findChunk = statement<{ sealed: Buffer }>(
  "bank-batch-chunk",
  "select sealed from bank_batch_chunk where batch_id = $1 and number = $2",
);

export async function findFileChunk(
  db: Runner,
  batchId: string,
  number: number,
): Promise<Buffer | undefined> {
  return (await db.run(findChunk, [batchId, number]))[0]?.sealed;
}

const findInReview = statement<{ subaccount_id: string; receiver_id: string; payouts: number }>(
  "bank-batch-in-review",
  // From the hits, which are few, to their payouts in the batch.
  `select h.subaccount_id, h.receiver_id, count(*)::int as payouts
   from (select distinct subaccount_id, receiver_id from screening_hit where status in ('open', 'same')) h
   cross join lateral (
     select p.id from receiver_account a
     join payout p on p.subaccount_id = a.subaccount_id and p.account_id = a.id and p.status = 'pending'
     where a.subaccount_id = h.subaccount_id and a.receiver_id = h.receiver_id and p.bank_batch_id = $1
   ) p
   group by h.subaccount_id, h.receiver_id`,
);

export type ReceiverInReview = { subaccountId: string; receiverId: string; payouts: number };

/** The receivers of a batch with a screening hit that holds their payouts. */
export async function listReceiversInReview(
  tx: Runner,
  batchId: string,
): Promise<ReceiverInReview[]> {
  const rows = await tx.run(findInReview, [batchId]);
  return rows.map(({ subaccount_id, receiver_id, payouts }) => ({
    subaccountId: subaccount_id,
    receiverId: receiver_id,
    payouts,
  }));
}
