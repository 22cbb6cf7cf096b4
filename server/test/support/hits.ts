// Screening hits that are written as screening writes them, without a list.

import { newId } from "../../src/platform/base/ids.ts";
import type { Db } from "../../src/platform/db/connect.ts";

type NewHit = {
  id: string;
  list: string;
  key: string;
  score: number;
  explanation: object;
  openedAtMs: number;
};

/** A hit of a receiver. Returns its id. */
export async function insertHit(
  { pool }: Db,
  { subaccountId, receiverId }: { subaccountId: string; receiverId: string },
  changes: Partial<NewHit> = {},
): Promise<string> {
  const id = changes.id ?? newId();
  const { list = "un", key = id, score = 0.9, explanation = {}, openedAtMs = Date.now() } = changes;
  await pool.query(
    `insert into screening_hit (subaccount_id, id, subject_kind, subject_id, receiver_id, list, entry_key, entry_hash,
       subject_hash, score, explanation, opened_at_ms)
     values ($1, $2, 'receiver', $3, $3, $4, $5, $9, $9, $6, $7, $8)`,
    [subaccountId, id, receiverId, list, key, score, explanation, openedAtMs, id],
  );
  return id;
}
