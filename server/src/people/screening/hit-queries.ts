// The SQL of screening hits: lists, decisions and their end.

import { oldestId } from "../../platform/base/index.ts";
import { type Runner, statement, type Tx, worksHere } from "../../platform/db/index.ts";
import type { HitExplanation, HitKey, HitStatus, SubjectKind } from "./hit.ts";

export type HitRow = {
  subaccount_id: string;
  id: string;
  subject_kind: SubjectKind;
  subject_id: string;
  receiver_id: string;
  list: string;
  entry_key: string;
  entry_hash: string;
  subject_hash: string;
  score: number;
  explanation: HitExplanation;
  status: HitStatus;
  opened_at_ms: string;
  same_by: string;
  same_at_ms: string | null;
  decided_by: string;
  decided_at_ms: string | null;
  reason: string;
};

const columns = `h.subaccount_id, h.id, h.subject_kind, h.subject_id, h.receiver_id, h.list, h.entry_key, h.entry_hash,
  h.subject_hash, h.score, h.explanation, h.status, h.opened_at_ms, h.same_by, h.same_at_ms, h.decided_by,
  h.decided_at_ms, h.reason`;

const listOfReceiver = statement<HitRow>(
  "screening-hits-of-receiver",
  `select ${columns} from screening_hit h
   where h.subaccount_id = $1 and h.receiver_id = $2 and h.status in ('open', 'same') order by h.score desc, h.id`,
);

/** The hits that hold the payouts of a receiver, the best match first. */
export function listHitsOfReceiver(
  db: Runner,
  { subaccountId, receiverId }: { subaccountId: string; receiverId: string },
): Promise<HitRow[]> {
  return db.run(listOfReceiver, [subaccountId, receiverId]);
}

const listOpen = statement<HitRow>(
  "screening-hits-open",
  // Over all subaccounts unless one is given: the reviewers of the installation decide on all of them.
  `select ${columns} from screening_hit h
   where h.status = 'open' and ($1::uuid is null or h.subaccount_id = $1)
     and (h.opened_at_ms, h.subaccount_id, h.id) > ($2, $3::uuid, $4::uuid)
   order by h.opened_at_ms, h.subaccount_id, h.id limit $5`,
);

export type HitPlace = { openedAtMs: number; subaccountId: string; id: string };

export const firstHitPlace: HitPlace = { openedAtMs: 0, subaccountId: oldestId, id: oldestId };

/** Open hits, the oldest first. */
export function listOpenHits(
  db: Runner,
  page: { subaccountId?: string | undefined; after: HitPlace; limit: number },
): Promise<HitRow[]> {
  const { after } = page;
  const place = [after.openedAtMs, after.subaccountId, after.id];
  return db.run(listOpen, [page.subaccountId ?? null, ...place, page.limit]);
}

const findOne = statement<HitRow>(
  "screening-hit",
  `select ${columns} from screening_hit h where h.subaccount_id = $1 and h.id = $2`,
);

export async function findHit(
  db: Runner,
  { subaccountId, id }: HitKey,
): Promise<HitRow | undefined> {
  return (await db.run(findOne, [subaccountId, id]))[0];
}

const lockOne = statement<HitRow>(
  "screening-hit-lock",
  `select ${columns} from screening_hit h where h.subaccount_id = $1 and h.id = $2 for update`,
);

/** It is locked until the end of the transaction. */
export async function lockHit(tx: Tx, { subaccountId, id }: HitKey): Promise<HitRow | undefined> {
  return (await tx.run(lockOne, [subaccountId, id]))[0];
}

const markSame = statement<never>(
  "screening-hit-first-same",
  `update screening_hit set same_by = $3, same_at_ms = $4, reason = $5 where subaccount_id = $1 and id = $2`,
);

/** The first of two users says that it is the same person. The hit stays open. */
export async function updateFirstSame(
  tx: Tx,
  { subaccountId, id }: HitKey,
  { who, atMs, reason }: { who: string; atMs: number; reason: string },
): Promise<void> {
  await tx.run(markSame, [subaccountId, id, who, atMs, reason]);
}

const decide = statement<never>(
  "screening-hit-decide",
  `update screening_hit set status = $3, decided_by = $4, decided_at_ms = $5, reason = $6
   where subaccount_id = $1 and id = $2`,
);

/** The hit must be locked. */
export async function updateHitDecided(
  tx: Tx,
  { subaccountId, id }: HitKey,
  decision: { status: "same" | "different"; who: string; atMs: number; reason: string },
): Promise<void> {
  const { status, who, atMs, reason } = decision;
  await tx.run(decide, [subaccountId, id, status, who, atMs, reason]);
}

const endMany = statement<{ subaccount_id: string; receiver_id: string }>(
  "screening-hits-end",
  // Over all subaccounts; each row has its subaccount_id. Only hits of subjects that were screened against this very
  // set: by then a changed entry that still matches has its new hit.
  `update screening_hit h
   set status = 'ended', decided_at_ms = $2,
       reason = case when exists (
         select from screening_entry e where e.list = h.list and e.key = h.entry_key
           and e.from_set <= $1 and (e.to_set is null or e.to_set > $1)
       ) then 'entry changed' else 'entry removed' end
   from screening_record r
   where h.status = 'open' and r.subaccount_id = h.subaccount_id and r.subject_kind = h.subject_kind
     and r.subject_id = h.subject_id and r.set_id = $1 and ${worksHere("h.subaccount_id")}
     and not exists (
       select from screening_entry e where e.list = h.list and e.key = h.entry_key and e.hash = h.entry_hash
         and e.from_set <= $1 and (e.to_set is null or e.to_set > $1))
   returning h.subaccount_id, h.receiver_id`,
);

/** Ends the open hits whose entries are not in the set any more. Returns how many. */
export async function endHits(
  db: Runner,
  { setId, atMs }: { setId: number; atMs: number },
): Promise<number> {
  const ended = await db.run(endMany, [setId, atMs]);
  return ended.length;
}

const oldest = statement<{ opened_at_ms: string }>(
  "screening-hits-oldest",
  `select h.opened_at_ms from screening_hit h where h.status = 'open'
   order by h.opened_at_ms, h.subaccount_id, h.id limit 1`,
);

/** Undefined: no hit is open. */
export async function oldestOpenHitMs(db: Runner): Promise<number | undefined> {
  const [row] = await db.run(oldest);
  return row && Number(row.opened_at_ms);
}
