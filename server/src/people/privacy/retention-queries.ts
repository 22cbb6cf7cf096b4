// The SQL of retention: finds rows that were kept long enough, page by page, and remembers how far it came.

import { type Runner, statement, type Tx, worksHere } from "../../platform/db/index.ts";
import type { RetentionKind } from "../../platform/retention/index.ts";
import { places } from "./erased-column-queries.ts";

/** The subaccount of rows that belong to the installation itself. */
export const noSubaccount = "00000000-0000-0000-0000-000000000000";

export type RetentionProgress = {
  subaccountId: string;
  place: string;
  /** Empty: at the beginning. */
  afterKey: string;
  /** Rows before it that were too young. */
  later: readonly string[];
};

const find = statement<{ after_key: string; later: string[] }>(
  "retention-progress",
  "select after_key, later from retention_progress where subaccount_id = $1 and place = $2",
);

export async function findProgress(
  db: Runner,
  { subaccountId, place }: Pick<RetentionProgress, "subaccountId" | "place">,
): Promise<RetentionProgress> {
  const [row] = await db.run(find, [subaccountId, place]);
  return { subaccountId, place, afterKey: row?.after_key ?? "", later: row?.later ?? [] };
}

const upsert = statement<never>(
  "retention-progress-set",
  `insert into retention_progress (subaccount_id, place, after_key, later) values ($1, $2, $3, $4)
   on conflict (subaccount_id, place) do update set after_key = excluded.after_key, later = excluded.later`,
);

export async function setProgress(tx: Tx, progress: RetentionProgress): Promise<void> {
  const { subaccountId, place, afterKey, later } = progress;
  await tx.run(upsert, [subaccountId, place, afterKey, later]);
}

const withOldPayouts = statement<{ id: string }>(
  "retention-subaccounts",
  // Closed ones too. One index lookup for each: most have nothing to do.
  `select s.id from subaccount s
   left join retention_progress r on r.subaccount_id = s.id and r.place = 'payout'
   where ${worksHere("s.id")} and (cardinality(r.later) > 0 or exists (
     select from payout p
     where p.subaccount_id = s.id and p.id > coalesce(r.after_key, '${noSubaccount}')::uuid and p.id < $1))
   order by s.id`,
);

/** The subaccounts with payouts before this id that were not looked at, or were too young. */
export async function listSubaccountsWithOldPayouts(
  db: Runner,
  beforeId: string,
): Promise<string[]> {
  return (await db.run(withOldPayouts, [beforeId])).map(({ id }) => id);
}

/** How far to go: rows with an id below this one, that did not change since. */
export type OldPage = { afterId: string; beforeId: string; beforeMs: number; limit: number };
export type OldRow = { id: string; is_due: boolean };

const oldPayouts = statement<OldRow>(
  "retention-payouts",
  // A payout that is in progress, or changed later, is too young.
  `select id, status <> 'pending' and updated_at_ms < $4 as is_due from payout
   where subaccount_id = $1 and id > $2 and id < $3 order by id limit $5`,
);

export function listOldPayouts(db: Runner, subaccountId: string, page: OldPage): Promise<OldRow[]> {
  const { afterId, beforeId, beforeMs, limit } = page;
  return db.run(oldPayouts, [subaccountId, afterId, beforeId, beforeMs, limit]);
}

const youngPayouts = statement<OldRow>(
  "retention-payouts-later",
  `select id, status <> 'pending' and updated_at_ms < $3 as is_due from payout
   where subaccount_id = $1 and id = any($2::uuid[])`,
);

export function listLaterPayouts(
  db: Runner,
  subaccountId: string,
  ids: readonly string[],
  beforeMs: number,
): Promise<OldRow[]> {
  return db.run(youngPayouts, [subaccountId, ids, beforeMs]);
}

/** Rows of the installation by their ids, which grow with time. */
const oldRowsOf = (name: string, table: string, isDue: string) =>
  statement<OldRow>(
    `bank-${name}-old`,
    `select id, ${isDue} as is_due from ${table} where id > $1 and id < $2 order by id limit $3`,
  );

export const oldBankRows = {
  files: oldRowsOf("inbound", "bank_inbound_file", "true"),
  lines: oldRowsOf("statement", "bank_statement_line", "true"),
  items: oldRowsOf("suspense", "bank_suspense_item", "status <> 'open'"),
};
export type BankRowKind = keyof typeof oldBankRows;

export function listOldBankRows(db: Runner, kind: BankRowKind, page: OldPage): Promise<OldRow[]> {
  return db.run(oldBankRows[kind], [page.afterId, page.beforeId, page.limit]);
}

const laterItems = statement<OldRow>(
  "bank-suspense-later",
  "select id, status <> 'open' as is_due from bank_suspense_item where id = any($1::uuid[])",
);

export function listLaterItems(db: Runner, ids: readonly string[]): Promise<OldRow[]> {
  return db.run(laterItems, [ids]);
}

const oldChunks = statement<{ batches: string[]; files: string[] }>(
  "bank-batch-chunks-old",
  // The chunks of old files are gone, so the first ones are the oldest that are left. A file that was not sent stays.
  `select array(select b.id from bank_batch b where b.id < $1 and b.status not in ('frozen', 'approved', 'sending')
                  and (exists (select from bank_batch_chunk c where c.batch_id = b.id)
                       or exists (select from bank_batch_encrypted_chunk c where c.batch_id = b.id))
                order by b.id limit $2) as batches,
          array(select f.id from bank_inbound_file f where f.id < $1
                  and exists (select from bank_inbound_chunk c where c.file_id = f.id)
                order by f.id limit $2) as files`,
);

export async function listFilesWithBytes(
  db: Runner,
  { beforeId, limit }: Pick<OldPage, "beforeId" | "limit">,
): Promise<{ batches: string[]; files: string[] }> {
  const [found] = await db.run(oldChunks, [beforeId, limit]);
  return found ?? { batches: [], files: [] };
}

/** The first payout of each subaccount that was not looked at yet: one index lookup for each. */
const oldestPayout = statement<{ at_ms: string }>(
  "retention-oldest-payout",
  `select ms_of_id(first.id) as at_ms from subaccount s
   left join retention_progress r on r.subaccount_id = s.id and r.place = 'payout'
   cross join lateral (
     select p.id from payout p
     where p.subaccount_id = s.id and p.id > coalesce(r.after_key, '${noSubaccount}')::uuid order by p.id limit 1
   ) first
   where ${worksHere("s.id")} order by first.id limit 1`,
);

const afterProgress = (place: string) => `coalesce((select after_key from retention_progress
     where subaccount_id = '${noSubaccount}' and place = '${place}'), '')`;
const firstAfter = (table: string, place: string) =>
  `(select id from ${table} where id > coalesce(nullif(${afterProgress(place)}, ''), '${noSubaccount}')::uuid
    order by id limit 1)`;
const firstOf = (table: string, column: string) =>
  `(select ${column} as id from ${table} order by ${column} limit 1)`;

const oldestBankRow = statement<{ at_ms: string }>(
  "bank-retention-oldest",
  `select ms_of_id(id) as at_ms from (
     ${firstOf("bank_batch_chunk", "batch_id")} union all ${firstOf("bank_batch_encrypted_chunk", "batch_id")}
     union all ${firstOf("bank_inbound_chunk", "file_id")} union all ${firstAfter("bank_inbound_file", "files")}
     union all ${firstAfter("bank_statement_line", "lines")} union all ${firstAfter("bank_suspense_item", "items")}
   ) one order by id limit 1 -- of the installation, without a subaccount_id`,
);

const oldestEntry = statement<{ at_ms: string }>(
  "audit-retention-oldest",
  `select at_ms from audit_entry where number > coalesce(nullif(${afterProgress("audit")}, ''), '0')::bigint
   order by number limit 1 -- whatever the subaccount_id`,
);

const oldestReview = statement<{ at_ms: string | null }>(
  "retention-oldest-review",
  `select least(
     (select min(decided_at_ms) from screening_hit
      where status <> 'open' and subject_hash not like 'erased:%' and ${worksHere("screening_hit.subaccount_id")}),
     (select min(at_ms) from review_note
      where note <> '' and ${worksHere("review_note.subaccount_id")})) as at_ms`,
);

const oldestPartition = statement<{ at_ms: string | null }>(
  "partitions-oldest",
  `select (extract(epoch from min(to_date(right(c.relname, 8), 'YYYYMMDD')) at time zone 'UTC') * 1000)::bigint as at_ms
   from pg_inherits i join pg_class c on c.oid = i.inhrelid
   where i.inhparent = $1::text::regclass and c.relname ~ '_\\d{8}$' -- of each subaccount_id`,
);

const oldest: Record<RetentionKind, (db: Runner) => Promise<{ at_ms: string | null }[]>> = {
  payouts: (db) => db.run(oldestPayout),
  bankFiles: (db) => db.run(oldestBankRow),
  audit: (db) => db.run(oldestEntry),
  screening: (db) => db.run(oldestReview),
  events: (db) => db.run(oldestPartition, ["event"]),
  requestLog: (db) => db.run(oldestPartition, ["request_log"]),
};

/**
 * When the oldest row of a kind that still has its content was made; of events and requests, when the oldest partition
 * begins. Undefined: there is none.
 */
export async function findOldestKept(db: Runner, kind: RetentionKind): Promise<number | undefined> {
  const [row] = await oldest[kind](db);
  return row?.at_ms == null ? undefined : Number(row.at_ms);
}

const emptyFileNames = statement<{ id: string }>(
  "retention-file-names",
  // The name of a file may be that of a person.
  `update file_import set file_name = '' where (subaccount_id, id) in (
     select subaccount_id, id from file_import
     where id < $1 and file_name <> '' and ${worksHere("file_import.subaccount_id")} limit $2)
   returning id`,
);

/** Imported files lose their names. Returns how many did. */
export async function emptyOldFileNames(
  tx: Tx,
  { beforeId, limit }: Pick<OldPage, "beforeId" | "limit">,
): Promise<number> {
  return (await tx.run(emptyFileNames, [beforeId, limit])).length;
}

const deleteOldMetadata = statement<never>(
  "retention-metadata",
  // The payouts of a batch are of the same time.
  `with emptied as (
     update payout_batch set metadata = null
     where subaccount_id = $1 and metadata is not null and id in (
       select batch_id from payout where subaccount_id = $1 and id = any($2::uuid[]) and batch_id is not null)
     returning id
   )
   delete from metadata_entry
   where subaccount_id = $1 and object_id in (select id from emptied union all select unnest($2::uuid[]))`,
);

/** What finds these payouts by their metadata is deleted, and their batches lose theirs. */
export async function deleteMetadata(
  tx: Tx,
  subaccountId: string,
  payouts: readonly string[],
): Promise<void> {
  await tx.run(deleteOldMetadata, [subaccountId, payouts]);
}

const setOf = (table: string) =>
  Object.entries(places[table]?.overwrites ?? {})
    .map(([column, value]) => `${column} = ${value}`)
    .join(", ");

const emptyReports = statement<never>(
  "bank-inbound-lines-old",
  `update bank_inbound_line set ${setOf("bank_inbound_line")} where file_id = any($1::uuid[])`,
);

/** The lines of these files lose their texts. */
export async function emptyInboundLines(tx: Tx, fileIds: readonly string[]): Promise<void> {
  await tx.run(emptyReports, [fileIds]);
}

const emptyHits = statement<{ id: string }>(
  "retention-hits",
  `update screening_hit set ${setOf("screening_hit")} where (subaccount_id, id) in (
     select subaccount_id, id from screening_hit
     where status <> 'open' and decided_at_ms < $1 and subject_hash not like 'erased:%'
       and ${worksHere("screening_hit.subaccount_id")} limit $2)
   returning id`,
);

const emptyNotes = statement<{ id: string }>(
  "retention-notes",
  `update review_note set ${setOf("review_note")} where (subaccount_id, receiver_id, id) in (
     select subaccount_id, receiver_id, id from review_note
     where at_ms < $1 and note <> '' and ${worksHere("review_note.subaccount_id")} limit $2)
   returning id`,
);

/** Returns how many hits and notes lost their content. */
export async function emptyOldReviews(
  tx: Tx,
  { beforeMs, limit }: Pick<OldPage, "beforeMs" | "limit">,
): Promise<number> {
  const hits = await tx.run(emptyHits, [beforeMs, limit]);
  const notes = await tx.run(emptyNotes, [beforeMs, limit]);
  return Math.max(hits.length, notes.length);
}
