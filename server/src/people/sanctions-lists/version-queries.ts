// The SQL of versions of sanctions lists: their rows, the entries that a new set begins and ends, and those that wait.

import { type Runner, statement, type Tx } from "../../platform/db/index.ts";
import type { HashedEntry, ListEntry, ListName } from "../list-files/index.ts";
import { screeningSetChannel } from "../screening/index.ts";

export const versionStatuses = ["waiting", "active", "declined", "replaced", "expired"] as const;

export type VersionRow = {
  id: string;
  list: ListName;
  hash: string;
  reader: number;
  published_day: string;
  entries: number;
  names: number;
  added: number;
  changed: number;
  removed: number;
  status: (typeof versionStatuses)[number];
  made_by: string;
  at_ms: string;
  decided_by: string;
  decided_at_ms: string | null;
  set_id: string | null;
  /** The first of two users who approve a version from the folder. */
  first_approved_by: string;
};

const columns = `id, list, hash, reader, published_day, entries, names, added, changed, removed, status, made_by, at_ms,
  decided_by, decided_at_ms, set_id`;
const allColumns = `${columns}, first_approved_by`;

/** Of all changes of lists, so that sets are committed in the order of their ids. */
const changeLock = 4_242_042;

const lock = statement<never>("screening-list-lock", "select pg_advisory_xact_lock($1)");

/** Lists are changed one after the other. */
export async function lockLists(tx: Tx): Promise<void> {
  await tx.run(lock, [changeLock]);
}

const findAll = statement<VersionRow>(
  "screening-list-versions",
  `select ${allColumns} from screening_list_version where status = any($1) order by list, id desc limit $2`,
);

/** The newest first, list by list. */
export function listVersions(
  db: Runner,
  statuses: readonly VersionRow["status"][],
  limit: number,
): Promise<VersionRow[]> {
  return db.run(findAll, [statuses, limit]);
}

const findPage = statement<VersionRow>(
  "screening-list-version-page",
  `select ${allColumns} from screening_list_version
   where id < $1 and ($2::text is null or list = $2) order by id desc limit $3`,
);

/** Of one list or of all, the newest first. */
export function listVersionsBefore(
  db: Runner,
  { list, beforeId, limit }: { list: ListName | undefined; beforeId: string; limit: number },
): Promise<VersionRow[]> {
  return db.run(findPage, [beforeId, list ?? null, limit]);
}

const findOne = statement<VersionRow>(
  "screening-list-version",
  `select ${allColumns} from screening_list_version where id = $1`,
);

export async function findVersion(db: Runner, id: string): Promise<VersionRow | undefined> {
  return (await db.run(findOne, [id]))[0];
}

const findOfHash = statement<VersionRow>(
  "screening-list-version-of-hash",
  `select ${allColumns} from screening_list_version
   where list = $1 and hash = $2 and reader = $3 and status = any($4) order by id desc limit 1`,
);

/** A version that was made of the same files by the same reader. */
export async function findVersionOfHash(
  db: Runner,
  version: Pick<VersionRow, "list" | "hash" | "reader">,
  statuses: readonly VersionRow["status"][],
): Promise<VersionRow | undefined> {
  const { list, hash, reader } = version;
  return (await db.run(findOfHash, [list, hash, reader, statuses]))[0];
}

const insertOne = statement<VersionRow>(
  "screening-list-version-insert",
  `insert into screening_list_version (${columns})
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
   returning ${allColumns}`,
);

export type NewVersion = Omit<
  VersionRow,
  "at_ms" | "decided_at_ms" | "set_id" | "first_approved_by"
> & {
  at_ms: number;
  decided_at_ms: number | null;
  set_id: number | null;
};

export async function insertVersion(tx: Tx, row: NewVersion): Promise<VersionRow> {
  const values = [
    row.id,
    row.list,
    row.hash,
    row.reader,
    row.published_day,
    row.entries,
    row.names,
  ];
  const counts = [row.added, row.changed, row.removed, row.status, row.made_by, row.at_ms];
  const decision = [row.decided_by, row.decided_at_ms, row.set_id];
  return (await tx.run(insertOne, [...values, ...counts, ...decision]))[0] as VersionRow;
}

const replace = statement<{ id: string }>(
  "screening-list-version-replace",
  `update screening_list_version set status = 'replaced' where list = $1 and status = $2 returning id`,
);

/** Returns the id of the version that had the status. */
export async function replaceVersion(
  tx: Tx,
  list: ListName,
  status: "active" | "waiting",
): Promise<string | undefined> {
  return (await tx.run(replace, [list, status]))[0]?.id;
}

const decide = statement<VersionRow>(
  "screening-list-version-decide",
  `update screening_list_version
   set status = $2, decided_by = $3, decided_at_ms = $4, added = $5, changed = $6, removed = $7, set_id = $8
   where id = $1 and status = 'waiting' returning ${allColumns}`,
);

export async function decideVersion(
  tx: Tx,
  id: string,
  to: Pick<NewVersion, "status" | "decided_by" | "added" | "changed" | "removed" | "set_id"> & {
    decided_at_ms: number;
  },
): Promise<VersionRow | undefined> {
  const { status, decided_by, decided_at_ms, added, changed, removed, set_id } = to;
  const values = [id, status, decided_by, decided_at_ms, added, changed, removed, set_id];
  return (await tx.run(decide, values))[0];
}

const markFirst = statement<VersionRow>(
  "screening-list-version-first-approval",
  `update screening_list_version set first_approved_by = $2, first_approved_at_ms = $3
   where id = $1 and status = 'waiting' returning ${allColumns}`,
);

export async function markFirstApproved(
  tx: Tx,
  id: string,
  { who, atMs }: { who: string; atMs: number },
): Promise<VersionRow | undefined> {
  return (await tx.run(markFirst, [id, who, atMs]))[0];
}

const insertNewSet = statement<{ id: string }>(
  "screening-list-set-insert",
  `insert into screening_set (versions, at_ms)
   select coalesce(jsonb_object_agg(list, id) filter (where list <> $1), '{}') || jsonb_build_object($1::text, $2::text), $3
   from screening_list_version where status = 'active'
   returning id`,
);

/** The active versions of the other lists, with this one. */
export async function insertSet(
  tx: Tx,
  { list, id }: { list: ListName; id: string },
  atMs: number,
): Promise<number> {
  return Number((await tx.run(insertNewSet, [list, id, atMs]))[0]?.id);
}

const notify = statement<never>("screening-list-set-notify", "select pg_notify($1, $2)");

/** PostgreSQL sends it when the transaction is committed. */
export async function notifyNewSet(tx: Tx, setId: number): Promise<void> {
  await tx.run(notify, [screeningSetChannel, String(setId)]);
}

const findHashes = statement<{ key: string; hash: string }>(
  "screening-list-entry-hashes",
  "select key, hash from screening_entry where list = $1 and to_set is null",
);

/** The hash of each entry in force, by its key. */
export async function findEntryHashes(db: Runner, list: ListName): Promise<Map<string, string>> {
  const rows = await db.run(findHashes, [list]);
  return new Map(rows.map(({ key, hash }) => [key, hash]));
}

const endSome = statement<never>(
  "screening-list-entries-end",
  "update screening_entry set to_set = $3 where list = $1 and key = any($2) and to_set is null",
);

export async function endEntries(
  tx: Tx,
  list: ListName,
  keys: readonly string[],
  setId: number,
): Promise<void> {
  await tx.run(endSome, [list, keys, setId]);
}

const insertSome = statement<never>(
  "screening-list-entries-insert",
  `insert into screening_entry (list, key, from_set, hash, entry)
   select $1, key, $2, hash, entry from unnest($3::text[], $4::text[], $5::jsonb[]) as one (key, hash, entry)`,
);

export async function insertEntries(
  tx: Tx,
  list: ListName,
  setId: number,
  entries: readonly HashedEntry[],
): Promise<void> {
  await tx.run(insertSome, [list, setId, ...columnsOf(entries)]);
}

const insertWaiting = statement<never>(
  "screening-list-waiting-insert",
  `insert into screening_waiting_entry (version_id, key, hash, entry)
   select $1, key, hash, entry from unnest($2::text[], $3::text[], $4::jsonb[]) as one (key, hash, entry)`,
);

export async function insertWaitingEntries(
  tx: Tx,
  versionId: string,
  entries: readonly HashedEntry[],
): Promise<void> {
  await tx.run(insertWaiting, [versionId, ...columnsOf(entries)]);
}

function columnsOf(entries: readonly HashedEntry[]): [string[], string[], string[]] {
  return [
    entries.map(({ entry }) => entry.key),
    entries.map(({ hash }) => hash),
    entries.map(({ entry }) => JSON.stringify(entry)),
  ];
}

const findWaiting = statement<HashedEntry>(
  "screening-list-waiting",
  `select hash, entry from screening_waiting_entry where version_id = $1 and key > $2 order by key limit $3`,
);

export function findWaitingEntries(
  db: Runner,
  versionId: string,
  { afterKey, limit }: { afterKey: string; limit: number },
): Promise<HashedEntry[]> {
  return db.run(findWaiting, [versionId, afterKey, limit]);
}

const deleteWaiting = statement<never>(
  "screening-list-waiting-delete",
  "delete from screening_waiting_entry where version_id = $1",
);

export async function deleteWaitingEntries(tx: Tx, versionId: string): Promise<void> {
  await tx.run(deleteWaiting, [versionId]);
}

const findCurrentEntries = statement<{ entry: ListEntry }>(
  "screening-list-entries-of-list",
  "select entry from screening_entry where list = $1 and to_set is null order by key",
);

/** For a short list only: the embargoed countries. */
export async function findEntriesOfList(db: Runner, list: ListName): Promise<ListEntry[]> {
  return (await db.run(findCurrentEntries, [list])).map(({ entry }) => entry);
}
