// The SQL of imports as objects: one row for each file, and the rows of it that were refused. Rows that wait for a new receiver or
// account are in the same table (waiting-row-queries.ts).

import { firstIdOf } from "../../platform/base/index.ts";
import { type Db, type Runner, statement } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { PayoutRequest } from "../payouts/index.ts";
import type { FileKind } from "./mapping-queries.ts";

export type ImportKey = { subaccountId: string; id: string };

export type ImportKind = FileKind | "retry";

export type FileImportRow = {
  id: string;
  kind: ImportKind;
  file_name: string;
  rows: number;
  created: number;
  already_imported: number;
  refused: number;
  who: string;
  retry_of: string | null;
  updated_at_ms: string;
  ended_at_ms: string | null;
};

type NewFileImport = {
  kind: ImportKind;
  fileName: string;
  rows: number;
  who: string;
  retryOf?: string | undefined;
  atMs: number;
};

const insertOne = statement<never>(
  "file-import-insert",
  `insert into file_import (subaccount_id, id, kind, file_name, rows, who, retry_of, updated_at_ms)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

export async function insertFileImport(
  db: Runner,
  { subaccountId, id }: ImportKey,
  { kind, fileName, rows, who, retryOf, atMs }: NewFileImport,
): Promise<void> {
  await db.run(insertOne, [subaccountId, id, kind, fileName, rows, who, retryOf ?? null, atMs]);
}

const setCounts = statement<never>(
  "file-import-progress",
  `update file_import set created = $3, already_imported = $4, refused = $5, updated_at_ms = $6
   where subaccount_id = $1 and id = $2`,
);

export type ImportCounts = Record<"created" | "already_imported" | "refused", number>;

/** Sets the counts of all rows so far. Only one process runs an import. */
export async function updateImportCounts(
  db: Runner,
  { subaccountId, id }: ImportKey,
  { created, already_imported, refused }: ImportCounts,
  atMs: number,
): Promise<void> {
  await db.run(setCounts, [subaccountId, id, created, already_imported, refused, atMs]);
}

const endOne = statement<never>(
  "file-import-end",
  "update file_import set ended_at_ms = $3, updated_at_ms = $3 where subaccount_id = $1 and id = $2",
);

export async function endFileImport(db: Runner, key: ImportKey, atMs: number): Promise<void> {
  await db.run(endOne, [key.subaccountId, key.id, atMs]);
}

const columns = `id, kind, file_name, rows, created, already_imported, refused, who, retry_of, updated_at_ms,
  ended_at_ms`;

const findMany = statement<FileImportRow>(
  "file-imports-find",
  `select ${columns} from file_import where subaccount_id = $1 and id = any($2::uuid[])`,
);

export async function findFileImports(
  db: Runner,
  subaccountId: string,
  ids: readonly string[],
): Promise<Map<string, FileImportRow>> {
  const rows = await db.run(findMany, [subaccountId, ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** A refused row. `request` is undefined for a receiver or an account: its data is not kept. */
export type RefusedRow = { number: number; code: string; request?: PayoutRequest | undefined };

const insertRefused = statement<never>(
  "file-import-refusals-insert",
  `insert into file_import_refusal (subaccount_id, import_id, number, code, receiver_id, account_id, amount, currency,
     reference, note, send_on, statement_reference, purpose, allow_duplicate)
   select $1, $2, number, code, receiver_id, account_id, amount, currency, reference, note, send_on, statement_reference,
     purpose, allow_duplicate
   from json_to_recordset($3) as r(number integer, code text, receiver_id uuid, account_id uuid, amount bigint,
     currency text, reference text, note text, send_on text, statement_reference text, purpose text,
     allow_duplicate boolean)
   on conflict do nothing`,
);

export async function insertRefusals(
  db: Runner,
  { subaccountId, id }: ImportKey,
  rows: readonly RefusedRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const given = rows.map(({ number, code, request }) => ({
    number,
    code,
    receiver_id: request?.receiverId,
    account_id: request?.accountId,
    amount: request?.amount.toString(),
    currency: request?.currency,
    reference: request?.reference ?? "",
    note: request?.note ?? "",
    send_on: request?.sendOn ?? "",
    statement_reference: request?.statementReference ?? "",
    purpose: request?.purpose ?? "",
    allow_duplicate: request?.allowDuplicate ?? false,
  }));
  await db.run(insertRefused, [subaccountId, id, JSON.stringify(given)]);
}

export type RefusalRow = {
  number: number;
  code: string;
  receiver_id: string | null;
  account_id: string | null;
  amount: string | null;
  currency: string | null;
  reference: string;
  note: string;
  send_on: string;
  statement_reference: string;
  purpose: string;
  allow_duplicate: boolean;
  first_name: string | null;
  last_name: string | null;
};

const listRefused = statement<RefusalRow>(
  "file-import-refusals-list",
  `select f.number, f.code, f.receiver_id, f.account_id, f.amount, f.currency, f.reference, f.note, f.send_on,
     f.statement_reference, f.purpose, f.allow_duplicate, r.first_name, r.last_name
   from file_import_refusal f
   left join receiver r on r.subaccount_id = f.subaccount_id and r.id = f.receiver_id
   where f.subaccount_id = $1 and f.import_id = $2 and f.number > $3 and not f.is_waiting order by f.number limit $4`,
);

/** In the order of the file. */
export function listRefusals(
  db: Runner,
  { subaccountId, id }: ImportKey,
  { afterNumber = 0, limit }: { afterNumber?: number; limit: number },
): Promise<RefusalRow[]> {
  return db.run(listRefused, [subaccountId, id, afterNumber, limit]);
}

const portion = 5_000;
const expireRefusals = statement<{ number: number }>(
  "file-import-refusals-expire",
  `delete from file_import_refusal where (subaccount_id, import_id, number) in (
     select subaccount_id, import_id, number from file_import_refusal where import_id < $1 limit ${portion}
   ) returning number`,
);

/** Over all subaccounts, in portions, so that no statement takes long. */
export async function deleteOldRefusals(db: Db, nowMs: number): Promise<void> {
  const before = firstIdOf(nowMs - limits.idempotencyKeptMs);
  let deleted = portion;
  while (deleted === portion) deleted = (await db.run(expireRefusals, [before])).length;
}
