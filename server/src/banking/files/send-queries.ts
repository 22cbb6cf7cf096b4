// The SQL of sending bank files: who sends which, where to, what went wrong, and the bytes that were encrypted for it.

import { type Runner, statement, type Tx } from "../../platform/db/index.ts";

export type SendRow = {
  batch_id: string;
  tries: number;
  problem: string;
  destination: string;
  name: string;
  is_encrypted: boolean;
  sha256: string;
  bytes: string;
  renaming_at_ms: string | null;
  /** When it is tried again. Null: a user has to act. */
  after_ms: string | null;
  /** A process is sending it, until `after_ms` at the latest. */
  is_claimed: boolean;
};

const columns = `batch_id, tries, problem, destination, name, is_encrypted, sha256, bytes, renaming_at_ms,
  after_ms, token is not null as is_claimed`;

export type SendClaim = { token: string; nowMs: number; untilMs: number };

const claimNext = statement<SendRow>(
  "bank-batch-send-claim",
  // One that was downloaded may be at the bank by another way. One that is late and not begun is never sent by itself.
  `with due as (
     select b.id from bank_batch b left join bank_batch_send s on s.batch_id = b.id
     where b.connection_id = $1 and b.status in ('approved', 'sending') and b.downloaded_at_ms is null
       and (b.status = 'sending' or b.cutoff_ms > $3) and (s.batch_id is null or s.after_ms <= $3)
     order by b.id limit 1
   )
   insert into bank_batch_send (batch_id, token, after_ms, tries) select id, $2, $4, 1 from due
   on conflict (batch_id) do update set token = $2, after_ms = $4, tries = bank_batch_send.tries + 1
     where bank_batch_send.after_ms <= $3
   returning ${columns}`,
);

/** The next file that this process sends. Undefined: none is due. */
export async function claimNextSend(
  db: Runner,
  connectionId: string,
  { token, nowMs, untilMs }: SendClaim,
): Promise<SendRow | undefined> {
  return (await db.run(claimNext, [connectionId, token, nowMs, untilMs]))[0];
}

const claimOne = statement<SendRow>(
  "bank-batch-send-claim-one",
  `insert into bank_batch_send (batch_id, token, after_ms, tries) values ($1, $2, $4, 1)
   on conflict (batch_id) do update set token = $2, after_ms = $4, tries = bank_batch_send.tries + 1
     where bank_batch_send.token is null or bank_batch_send.after_ms <= $3
   returning ${columns}`,
);

/** By a user, also before it is due. Undefined: a process is sending it. */
export async function claimSendOf(
  db: Runner,
  batchId: string,
  { token, nowMs, untilMs }: SendClaim,
): Promise<SendRow | undefined> {
  return (await db.run(claimOne, [batchId, token, nowMs, untilMs]))[0];
}

const renew = statement<SendRow>(
  "bank-batch-send-renew",
  `update bank_batch_send set after_ms = $3 where batch_id = $1 and token = $2 returning ${columns}`,
);

/** Undefined: another process has taken it over. */
export async function renewSend(
  db: Runner,
  batchId: string,
  { token, untilMs }: Pick<SendClaim, "token" | "untilMs">,
): Promise<SendRow | undefined> {
  return (await db.run(renew, [batchId, token, untilMs]))[0];
}

const begin = statement<SendRow>(
  "bank-batch-send-begin",
  `update bank_batch_send set destination = $2, name = $3, is_encrypted = $4, sha256 = $5, bytes = $6
   where batch_id = $1 and destination = '' returning ${columns}`,
);

export type SendPlan = Pick<SendRow, "destination" | "name" | "is_encrypted" | "sha256"> & {
  bytes: number;
};

/** From now on they never change. */
export async function beginSend(tx: Tx, batchId: string, plan: SendPlan): Promise<SendRow> {
  const { destination, name, is_encrypted, sha256, bytes } = plan;
  const [row] = await tx.run(begin, [batchId, destination, name, is_encrypted, sha256, bytes]);
  if (!row) throw new Error("a file begins to be sent only once");
  return row;
}

const setRenaming = statement<never>(
  "bank-batch-send-renaming",
  "update bank_batch_send set renaming_at_ms = $2 where batch_id = $1",
);

export async function markRenaming(tx: Tx, batchId: string, atMs: number): Promise<void> {
  await tx.run(setRenaming, [batchId, atMs]);
}

const release = statement<never>(
  "bank-batch-send-release",
  "update bank_batch_send set token = null, after_ms = $3, problem = $4 where batch_id = $1 and token = $2",
);

/** `afterMs` undefined: a user has to act. */
export async function releaseSend(
  db: Runner,
  batchId: string,
  { token, afterMs, problem }: { token: string; afterMs: number | undefined; problem: string },
): Promise<void> {
  await db.run(release, [batchId, token, afterMs ?? null, problem]);
}

const findLease = statement<{ batch_id: string }>(
  "bank-batch-send-lease",
  "select batch_id from bank_batch_send where batch_id = $1 and token is not null and after_ms > $2",
);

/** A process is sending it now. Under the lock of the batch. */
export async function isBeingSent(tx: Tx, batchId: string, nowMs: number): Promise<boolean> {
  return (await tx.run(findLease, [batchId, nowMs])).length > 0;
}

const findMany = statement<SendRow>(
  "bank-batch-sends",
  `select ${columns} from bank_batch_send where batch_id = any($1)`,
);

export async function findSends(
  db: Runner,
  batchIds: readonly string[],
): Promise<Map<string, SendRow>> {
  const rows = await db.run(findMany, [batchIds]);
  return new Map(rows.map((row) => [row.batch_id, row]));
}

const insertChunk = statement<never>(
  "bank-batch-encrypted-chunk-insert",
  "insert into bank_batch_encrypted_chunk (batch_id, number, bytes) values ($1, $2, $3)",
);

export async function insertEncryptedChunk(
  tx: Tx,
  chunk: { batchId: string; number: number; bytes: Buffer },
): Promise<void> {
  await tx.run(insertChunk, [chunk.batchId, chunk.number, chunk.bytes]);
}

const findChunk = statement<{ bytes: Buffer }>(
  "bank-batch-encrypted-chunk",
  "select bytes from bank_batch_encrypted_chunk where batch_id = $1 and number = $2",
);

export async function findEncryptedChunk(
  db: Runner,
  batchId: string,
  number: number,
): Promise<Buffer | undefined> {
  return (await db.run(findChunk, [batchId, number]))[0]?.bytes;
}

const findNearestCutoff = statement<{ cutoff_ms: string | null }>(
  "bank-batch-nearest-cutoff",
  `select min(b.cutoff_ms) as cutoff_ms
   from bank_batch b join bank_connection c on c.id = b.connection_id
   where b.status in ('frozen', 'approved', 'sending') and c.mode = 'live'`,
);

/** The first cut-off of the batches of live connections that are not sent. */
export async function nearestCutoffMs(db: Runner): Promise<number | undefined> {
  const [row] = await db.run(findNearestCutoff);
  return row?.cutoff_ms == null ? undefined : Number(row.cutoff_ms);
}
