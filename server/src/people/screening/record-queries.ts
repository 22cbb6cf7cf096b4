// The SQL of screening records: which set of entries a subject was screened against, written together with its hits.

import { newId, oldestId } from "../../platform/base/index.ts";
import { type Runner, statement, type Tx, worksHere } from "../../platform/db/index.ts";
import type { NewHit, Subject, SubjectKind } from "./hit.ts";
import { sealEvidence } from "./sealed-evidence.ts";

/** What screening found about a subject. It is written in the transaction that writes the subject. */
export type Screened = { subject: Subject; setId: number; hits: readonly NewHit[] };

export type OpenedHit = { subaccount_id: string; receiver_id: string; id: string };

/**
 * CTEs that write records and hits. `subjects` selects those that were written: subaccount_id, subject_kind, subject_id,
 * set_id, at_ms. `hits` is the parameter with the JSON of `hitRows`. A hit that was decided stays decided. One that had
 * ended is open again. An open hit on the same entry gives way to the newer one.
 */
export function insertScreeningSql(
  subjects: string,
  hits: string,
  { areNew }: { areNew: boolean },
): string {
  // A subject that the same statement creates can't have a record: looking for one would double the cost of the record.
  const onConflict = areNew
    ? ""
    : `on conflict (subaccount_id, subject_kind, subject_id) do update
       set set_id = excluded.set_id, screened_at_ms = excluded.screened_at_ms`;
  return `screened_subject as materialized (
     ${subjects}
   ), recorded as (
     insert into screening_record (subaccount_id, subject_kind, subject_id, set_id, screened_at_ms)
     select subaccount_id, subject_kind, subject_id, set_id, at_ms from screened_subject
     ${onConflict}
   ), ${openHitsSql(
     `select hit.*, s.at_ms from json_to_recordset(${hits}) as hit(${hitColumns})
      join screened_subject s using (subaccount_id, subject_kind, subject_id)`,
   )}`;
}

const hitColumns = `subaccount_id uuid, id uuid, subject_kind text, subject_id uuid, receiver_id uuid, list text,
  entry_key text, entry_hash text, subject_hash text, score double precision, explanation jsonb`;

function openHitsSql(found: string): string {
  return `found as materialized (
     ${found}
   ), opened as (
     insert into screening_hit as known (subaccount_id, id, subject_kind, subject_id, receiver_id, list, entry_key,
       entry_hash, subject_hash, score, explanation, opened_at_ms)
     select subaccount_id, id, subject_kind, subject_id, receiver_id, list, entry_key, entry_hash, subject_hash, score,
            explanation, at_ms
     from found order by subaccount_id, subject_kind, subject_id, list, entry_key
     on conflict on constraint screening_hit_once do update
       set status = 'open', score = excluded.score, explanation = excluded.explanation,
           opened_at_ms = excluded.opened_at_ms, same_by = '', same_at_ms = null, decided_by = '',
           decided_at_ms = null, reason = ''
       where known.status = 'ended'
     returning subaccount_id, receiver_id, id
   ), replaced as (
     update screening_hit old
     set status = 'ended', decided_at_ms = found.at_ms,
         reason = case when old.entry_hash = found.entry_hash then 'subject changed' else 'entry changed' end
     from found
     where old.subaccount_id = found.subaccount_id and old.subject_kind = found.subject_kind
       and old.subject_id = found.subject_id and old.list = found.list and old.entry_key = found.entry_key
       and (old.entry_hash, old.subject_hash) <> (found.entry_hash, found.subject_hash) and old.status = 'open'
   )`;
}

/** The hits as the JSON of the statements above. */
export function hitRows(screened: readonly Screened[]): string {
  const rows = screened.flatMap(({ subject, hits }) =>
    hits.map((hit) => ({
      subaccount_id: subject.subaccountId,
      id: newId(),
      subject_kind: subject.kind,
      subject_id: subject.id,
      receiver_id: subject.receiverId,
      list: hit.list,
      entry_key: hit.entryKey,
      entry_hash: hit.entryHash,
      subject_hash: hit.subjectHash,
      score: hit.score,
      explanation: sealEvidence(subject, hit.explanation),
    })),
  );
  return rows.length === 0 ? "[]" : JSON.stringify(rows);
}

const writeOne = statement<OpenedHit>(
  "screening-write",
  `with ${insertScreeningSql(
    `select $1::uuid as subaccount_id, $2::text as subject_kind, $3::uuid as subject_id, $4::bigint as set_id,
            $5::bigint as at_ms`,
    "$6",
    { areNew: false },
  )}
   select subaccount_id, receiver_id, id from opened`,
);

/** Writes the record and the hits of a subject. Returns the hits that were opened. */
export function writeScreening(tx: Tx, screened: Screened, atMs: number): Promise<OpenedHit[]> {
  const { subject, setId } = screened;
  const { subaccountId, kind, id } = subject;
  return tx.run(writeOne, [subaccountId, kind, id, setId, atMs, hitRows([screened])]);
}

const openMany = statement<OpenedHit>(
  "screening-hits-open-many",
  `with ${openHitsSql(`select hit.*, $2::bigint as at_ms from json_to_recordset($1) as hit(${hitColumns})`)}
   select subaccount_id, receiver_id, id from opened`,
);

/** Opens hits of subjects whose records this transaction has locked. */
export async function openHits(
  tx: Tx,
  screened: readonly Screened[],
  atMs: number,
): Promise<OpenedHit[]> {
  const rows = hitRows(screened);
  return rows === "[]" ? [] : tx.run(openMany, [rows, atMs]);
}

export type RecordKey = { subaccount_id: string; subject_kind: SubjectKind; subject_id: string };

/** Records of one subaccount with one set. */
export type RecordGroup = { setId: number; subaccountId: string };
export type RecordPlace = { kind: string; id: string };

export const firstRecordPlace: RecordPlace = { kind: "", id: oldestId };

const lockPage = statement<RecordKey>(
  "screening-records-lock",
  `select subaccount_id, subject_kind, subject_id from screening_record
   where set_id = $1 and subaccount_id = $2 and (subject_kind, subject_id) > ($3, $4::uuid)
   order by subject_kind, subject_id limit $5 for no key update skip locked`,
);

/** In the order of their keys. Records that another process has locked are skipped. */
export function lockRecords(
  tx: Tx,
  { setId, subaccountId }: RecordGroup,
  { after, limit }: { after: RecordPlace; limit: number },
): Promise<RecordKey[]> {
  return tx.run(lockPage, [setId, subaccountId, after.kind, after.id, limit]);
}

const raiseMany = statement<never>(
  "screening-records-raise",
  `update screening_record r set set_id = $4, screened_at_ms = $5
   from unnest($1::uuid[], $2::text[], $3::uuid[]) as key(subaccount_id, subject_kind, subject_id)
   where r.subaccount_id = key.subaccount_id and r.subject_kind = key.subject_kind and r.subject_id = key.subject_id`,
);

/** The records must be locked. */
export async function raiseRecords(
  tx: Tx,
  records: readonly RecordKey[],
  { setId, atMs }: { setId: number; atMs: number },
): Promise<void> {
  await tx.run(raiseMany, [
    records.map(({ subaccount_id }) => subaccount_id),
    records.map(({ subject_kind }) => subject_kind),
    records.map(({ subject_id }) => subject_id),
    setId,
    atMs,
  ]);
}

const groupsBelow = statement<{ set_id: string; subaccount_id: string }>(
  "screening-records-behind",
  // One index lookup for each group, however many records it has.
  `with recursive behind(set_id, subaccount_id) as (
     (select set_id, subaccount_id from screening_record
      where (set_id, subaccount_id) > ($1, $2::uuid) and set_id < $3 order by set_id, subaccount_id limit 1)
     union all
     select next.set_id, next.subaccount_id from behind b cross join lateral (
       select r.set_id, r.subaccount_id from screening_record r
       where (r.set_id, r.subaccount_id) > (b.set_id, b.subaccount_id) and r.set_id < $3
       order by r.set_id, r.subaccount_id limit 1) next
   )
   select set_id, subaccount_id from behind where ${worksHere("behind.subaccount_id")} limit $4`,
);

/** The groups of records below a set, after one of them. */
export async function listGroupsBehind(
  db: Runner,
  { after, setId, limit }: { after: RecordGroup; setId: number; limit: number },
): Promise<RecordGroup[]> {
  const rows = await db.run(groupsBelow, [after.setId, after.subaccountId, setId, limit]);
  return rows.map((row) => ({ setId: Number(row.set_id), subaccountId: row.subaccount_id }));
}

export const firstRecordGroup: RecordGroup = { setId: -1, subaccountId: oldestId };

const insertNew = statement<RecordKey>(
  "screening-records-insert",
  `insert into screening_record (subaccount_id, subject_kind, subject_id, set_id, screened_at_ms)
   select $1, $2, id, $4, $5 from unnest($3::uuid[]) as id order by id
   on conflict (subaccount_id, subject_kind, subject_id) do nothing
   returning subaccount_id, subject_kind, subject_id`,
);

/** Records of subjects that have none. Those that have one keep it, and are not returned. */
export function insertRecords(
  tx: Tx,
  { subaccountId, kind }: { subaccountId: string; kind: SubjectKind },
  ids: readonly string[],
  { setId, atMs }: { setId: number; atMs: number },
): Promise<RecordKey[]> {
  return tx.run(insertNew, [subaccountId, kind, ids, setId, atMs]);
}
