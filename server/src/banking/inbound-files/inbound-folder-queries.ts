// The SQL of folders of files from banks: which process polls which, and what became of each file.

import { type Runner, statement } from "../../platform/db/index.ts";
import type { SftpFile } from "../sftp/index.ts";

export type FolderClaim = { token: string; nowMs: number; untilMs: number };

const claimDue = statement<{ connection_id: string }>(
  "bank-inbound-folder-claim",
  `insert into bank_folder_poll (connection_id, token, after_ms, good_at_ms) values ($1, $2, $4, $3)
   on conflict (connection_id) do update set token = $2, after_ms = $4 where bank_folder_poll.after_ms <= $3
   returning connection_id`,
);

/** False: the folder is not due, or another process polls it. */
export async function claimDuePoll(
  db: Runner,
  connectionId: string,
  { token, nowMs, untilMs }: FolderClaim,
): Promise<boolean> {
  return (await db.run(claimDue, [connectionId, token, nowMs, untilMs])).length > 0;
}

const claimNow = statement<{ connection_id: string }>(
  "bank-inbound-folder-claim-now",
  `insert into bank_folder_poll (connection_id, token, after_ms, good_at_ms) values ($1, $2, $4, $3)
   on conflict (connection_id) do update set token = $2, after_ms = $4
     where bank_folder_poll.token is null or bank_folder_poll.after_ms <= $3
   returning connection_id`,
);

/** By a user, also before it is due. False: a process polls it. */
export async function claimPollNow(
  db: Runner,
  connectionId: string,
  { token, nowMs, untilMs }: FolderClaim,
): Promise<boolean> {
  return (await db.run(claimNow, [connectionId, token, nowMs, untilMs])).length > 0;
}

const renew = statement<{ connection_id: string }>(
  "bank-inbound-folder-renew",
  "update bank_folder_poll set after_ms = $3 where connection_id = $1 and token = $2 returning connection_id",
);

/** False: another process has taken it over. */
export async function renewPoll(
  db: Runner,
  connectionId: string,
  { token, untilMs }: Pick<FolderClaim, "token" | "untilMs">,
): Promise<boolean> {
  return (await db.run(renew, [connectionId, token, untilMs])).length > 0;
}

const release = statement<never>(
  "bank-inbound-folder-release",
  `update bank_folder_poll set token = null, after_ms = $3, good_at_ms = coalesce($4, good_at_ms), problem = $5
   where connection_id = $1 and token = $2`,
);

/** `goodAtMs` undefined: the poll failed. */
export async function releasePoll(
  db: Runner,
  connectionId: string,
  poll: { token: string; afterMs: number; goodAtMs: number | undefined; problem: string },
): Promise<void> {
  const { token, afterMs, goodAtMs, problem } = poll;
  await db.run(release, [connectionId, token, afterMs, goodAtMs ?? null, problem]);
}

export type FolderPollRow = { connection_id: string; good_at_ms: string; problem: string };

const listAllPolls = statement<FolderPollRow>(
  "bank-inbound-folder-polls",
  "select connection_id, good_at_ms, problem from bank_folder_poll",
);

/** By connection. An installation has few. */
export async function listFolderPolls(db: Runner): Promise<Map<string, FolderPollRow>> {
  const rows = await db.run(listAllPolls);
  return new Map(rows.map((row) => [row.connection_id, row]));
}

export type FolderFileStatus = "waiting" | "applied" | "no_reports" | "refused" | "ignored";

export type FolderFileRow = {
  connection_id: string;
  folder: string;
  name: string;
  size: string;
  modified_at_s: string;
  since_ms: string;
  status: FolderFileStatus;
  at_ms: string;
  inbound_file_id: string | null;
  code: string;
  message: string;
};

/** A folder of a connection, on the server that the connection had then. */
export type FolderKey = { connectionId: string; folder: string };

const columns =
  "connection_id, folder, name, size, modified_at_s, since_ms, status, at_ms, inbound_file_id, code, message";

const listKnown = statement<FolderFileRow>(
  "bank-inbound-folder-files",
  `select ${columns} from bank_folder_file where connection_id = $1 and folder = $2`,
);

/** What is known of the files of a folder, by name. */
export async function findFolderFiles(
  db: Runner,
  { connectionId, folder }: FolderKey,
): Promise<Map<string, FolderFileRow>> {
  const rows = await db.run(listKnown, [connectionId, folder]);
  return new Map(rows.map((row) => [row.name, row]));
}

const noteNew = statement<never>(
  "bank-inbound-folder-files-note",
  `insert into bank_folder_file (connection_id, folder, name, size, modified_at_s, since_ms, status, at_ms)
   select $1, $2, input.name, input.size, input.modified_at_s, $6, 'waiting', $6
   from unnest($3::text[], $4::bigint[], $5::bigint[]) input(name, size, modified_at_s)
   on conflict (connection_id, folder, name) do update set size = excluded.size, modified_at_s = excluded.modified_at_s,
     since_ms = $6, status = 'waiting', at_ms = $6, inbound_file_id = null, code = '', message = ''`,
);

/** Files that are new or have changed: they wait until they don't change any more. */
export async function noteChangedFiles(
  db: Runner,
  { connectionId, folder }: FolderKey,
  { files, atMs }: { files: readonly SftpFile[]; atMs: number },
): Promise<void> {
  if (files.length === 0) return;
  await db.run(noteNew, [
    connectionId,
    folder,
    files.map(({ name }) => name),
    files.map(({ size }) => size),
    files.map(({ modifiedAtS }) => modifiedAtS),
    atMs,
  ]);
}

const forget = statement<never>(
  "bank-inbound-folder-files-forget",
  `delete from bank_folder_file
   where connection_id = $1 and folder = $2 and status <> 'refused' and name <> all($3::text[])`,
);

/** Files that are no longer on the server. Refused ones stay: a user has to know of them. */
export async function forgetFilesExcept(
  db: Runner,
  { connectionId, folder }: FolderKey,
  names: readonly string[],
): Promise<void> {
  await db.run(forget, [connectionId, folder, names]);
}

export type FolderFileResult = {
  status: FolderFileStatus;
  fileId?: string;
  code?: string;
  message?: string;
};

const setResult = statement<never>(
  "bank-inbound-folder-file-result",
  `update bank_folder_file set status = $4, at_ms = $5, inbound_file_id = $6, code = $7, message = $8
   where connection_id = $1 and folder = $2 and name = $3`,
);

export async function recordFolderFile(
  db: Runner,
  { connectionId, folder, name }: FolderKey & { name: string },
  { status, fileId, code = "", message = "" }: FolderFileResult,
  atMs: number,
): Promise<void> {
  const result = [status, atMs, fileId ?? null, code, message];
  await db.run(setResult, [connectionId, folder, name, ...result]);
}

const ignore = statement<FolderFileRow>(
  "bank-inbound-folder-file-ignore",
  `update bank_folder_file set status = 'ignored', at_ms = $3
   where connection_id = $1 and name = $2 and status = 'refused' returning ${columns}`,
);

/** Undefined: no file of this name is refused. */
export async function setFileIgnored(
  db: Runner,
  { connectionId, name, atMs }: { connectionId: string; name: string; atMs: number },
): Promise<FolderFileRow | undefined> {
  return (await db.run(ignore, [connectionId, name, atMs]))[0];
}

const listSince = statement<FolderFileRow>(
  "bank-inbound-folder-files-since",
  `select ${columns} from bank_folder_file
   where connection_id = $1 and (status in ('waiting', 'refused') or at_ms >= $2)
   order by (status = 'refused') desc, at_ms desc, name limit $3`,
);

/** Those that are refused or wait, and those that were decided since then. Refused ones come first. */
export function listFolderFiles(
  db: Runner,
  { connectionId, sinceMs, limit }: { connectionId: string; sinceMs: number; limit: number },
): Promise<FolderFileRow[]> {
  return db.run(listSince, [connectionId, sinceMs, limit]);
}

const listRefused = statement<FolderFileRow>(
  "bank-inbound-folder-files-refused-newest",
  `select ${columns} from bank_folder_file where status = 'refused' order by at_ms desc, name limit $1`,
);

/** Of all connections, newest first. */
export function listRefusedFiles(db: Runner, limit: number): Promise<FolderFileRow[]> {
  return db.run(listRefused, [limit]);
}

const countOf = statement<{ connection_id: string; files: number }>(
  "bank-inbound-folder-files-refused",
  `select connection_id, count(*)::int as files from (
     select connection_id from bank_folder_file where status = 'refused' limit $1
   ) refused group by connection_id`,
);

/** By connection, counted up to a limit. */
export async function countRefusedFiles(db: Runner, limit: number): Promise<Map<string, number>> {
  const rows = await db.run(countOf, [limit]);
  return new Map(rows.map(({ connection_id, files }) => [connection_id, files]));
}
