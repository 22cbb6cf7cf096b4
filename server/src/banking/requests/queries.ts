// The SQL of what waits for a second user, and of what users have decided alone.

import { isUuid } from "../../platform/base/index.ts";
import { isUniqueViolation, type Runner, statement, type Tx } from "../../platform/db/index.ts";

export const bankRequestKinds = [
  "file",
  "suspense",
  "statement_line",
  "csv_mapping",
  "opening",
] as const;
export type BankRequestKind = (typeof bankRequestKinds)[number];
export type BankRequestStatus = "waiting" | "applied" | "declined" | "withdrawn" | "expired";

/** What the second user sees, without personal data. Amounts are minor units. */
export type BankRequestSummary = {
  /** The name of the file; else empty. */
  name: string;
  /** What is decided, such as fund; for a file: apply. */
  act: string;
  counts: Record<"lines" | "applied" | "noted" | "suspended" | "repeated", number> | null;
  sums: { kind: string; subaccount_id: string; currency: string; count: number; amount: string }[];
  changes: { field: string; before: string; after: string }[];
};

export type BankRequestRow = {
  id: string;
  kind: BankRequestKind;
  connection_id: string;
  connection_name: string;
  object_id: string;
  summary: BankRequestSummary;
  summary_sha256: string;
  input_sealed: Buffer | null;
  made_by: string;
  made_at_ms: string;
  status: BankRequestStatus;
};

const columns = `r.id, r.kind, r.connection_id, (select c.name from bank_connection c where c.id = r.connection_id) as
  connection_name, r.object_id, r.summary, r.summary_sha256, r.input_sealed, r.made_by, r.made_at_ms, r.status`;

const insertOne = statement<never>(
  "bank-request-insert",
  `insert into bank_request (id, kind, connection_id, object_id, summary, summary_sha256, input_sealed, made_by, made_at_ms)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);

export type NewBankRequest = Omit<
  BankRequestRow,
  "connection_name" | "made_at_ms" | "status" | "input_sealed"
> & { input_sealed: Buffer; made_at_ms: number };

export async function insertBankRequest(tx: Tx, request: NewBankRequest): Promise<void> {
  await tx.run(insertOne, [
    request.id,
    request.kind,
    request.connection_id,
    request.object_id,
    JSON.stringify(request.summary),
    request.summary_sha256,
    request.input_sealed,
    request.made_by,
    request.made_at_ms,
  ]);
}

/** The same file or item waits already. */
export function isBankRequestWaiting(error: unknown): boolean {
  return isUniqueViolation(error, "bank_request_one_waiting");
}

const findWaiting = statement<{ found: boolean }>(
  "bank-request-waits",
  `select exists (
     select from bank_request where kind = $1 and object_id = $2 and status = 'waiting'
   ) as found`,
);

/** Whether a second user has to decide about this object. */
export async function waitsForSecondUser(
  db: Runner,
  kind: BankRequestKind,
  objectId: string,
): Promise<boolean> {
  return (await db.run(findWaiting, [kind, objectId]))[0]?.found === true;
}

const insertChunk = statement<never>(
  "bank-request-chunk-insert",
  "insert into bank_request_chunk (request_id, number, sealed) values ($1, $2, $3)",
);

export async function insertRequestChunk(
  tx: Tx,
  chunk: { requestId: string; number: number; sealed: Buffer },
): Promise<void> {
  await tx.run(insertChunk, [chunk.requestId, chunk.number, chunk.sealed]);
}

const listChunks = statement<{ number: number; sealed: Buffer }>(
  "bank-request-chunks",
  "select number, sealed from bank_request_chunk where request_id = $1 order by number",
);

export function listRequestChunks(db: Runner, requestId: string) {
  return db.run(listChunks, [requestId]);
}

const findOne = statement<BankRequestRow>(
  "bank-request",
  `select ${columns} from bank_request r where r.id = $1`,
);

export async function findBankRequest(db: Runner, id: string): Promise<BankRequestRow | undefined> {
  return isUuid(id) ? (await db.run(findOne, [id]))[0] : undefined;
}

const lockOne = statement<BankRequestRow>(
  "bank-request-lock",
  `select ${columns} from bank_request r where r.id = $1 for update of r`,
);

/** If two users decide at once, the second sees the decision of the first. */
export async function lockBankRequest(tx: Tx, id: string): Promise<BankRequestRow | undefined> {
  return isUuid(id) ? (await tx.run(lockOne, [id]))[0] : undefined;
}

const decideOne = statement<never>(
  "bank-request-decide",
  `with chunks as (delete from bank_request_chunk where request_id = $1)
   update bank_request set status = $2, decided_by = $3, decided_at_ms = $4, reason = $5, input_sealed = null where id = $1`,
);

export type BankRequestDecision = {
  status: Exclude<BankRequestStatus, "waiting">;
  who: string;
  atMs: number;
  reason?: string;
};

/** What was to be applied is deleted: an applied file has its bytes elsewhere. */
export async function updateBankRequestDecided(
  tx: Tx,
  id: string,
  { status, who, atMs, reason = "" }: BankRequestDecision,
): Promise<void> {
  await tx.run(decideOne, [id, status, who, atMs, reason]);
}

const showOther = statement<never>(
  "bank-request-summary",
  "update bank_request set summary = $2, summary_sha256 = $3 where id = $1 and status = 'waiting'",
);

export async function updateBankRequestSummary(
  db: Runner,
  id: string,
  { summary, sha256 }: { summary: BankRequestSummary; sha256: string },
): Promise<void> {
  await db.run(showOther, [id, JSON.stringify(summary), sha256]);
}

const waiting = `select ${columns} from bank_request r where r.status = 'waiting'`;

const listWaiting = statement<BankRequestRow>(
  "bank-requests-waiting",
  `${waiting} and r.id > $1 order by r.id limit $2`,
);

const listNewestWaiting = statement<BankRequestRow>(
  "bank-requests-waiting-newest",
  `${waiting} and r.id < $1 order by r.id desc limit $2`,
);

/** Oldest or newest first. */
export function listWaitingBankRequests(
  db: Runner,
  { afterId, isNewestFirst, limit }: { afterId: string; isNewestFirst?: boolean; limit: number },
): Promise<BankRequestRow[]> {
  return db.run(isNewestFirst ? listNewestWaiting : listWaiting, [afterId, limit]);
}

const countWaiting = statement<{ count: number; oldest_ms: string | null }>(
  "bank-requests-waiting-count",
  `select count(*)::int as count, min(made_at_ms) as oldest_ms from (
     select made_at_ms from bank_request where status = 'waiting' order by id limit $1
   ) waiting`,
);

/** Never more than `most`. */
export async function countWaitingBankRequests(
  db: Runner,
  most: number,
): Promise<{ count: number; oldest_ms: string | null }> {
  return (await db.run(countWaiting, [most]))[0] ?? { count: 0, oldest_ms: null };
}

const addAlone = statement<{ total: string }>(
  "bank-alone-total",
  `insert into bank_alone_total (day, currency, total) values ($1, $2, $3)
   on conflict (day, currency) do update set total = bank_alone_total.total + excluded.total returning total`,
);

/** Returns the sum of the day, with this amount. Its row is locked until the end of the transaction. */
export async function addDecidedAlone(
  tx: Tx,
  { day, currency, amount }: { day: string; currency: string; amount: bigint },
): Promise<bigint> {
  const [row] = await tx.run(addAlone, [day, currency, amount.toString()]);
  return BigInt(row?.total ?? 0);
}
