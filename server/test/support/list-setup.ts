// What screening wrote about a subject.

import { setTimeout as sleep } from "node:timers/promises";
import { type LoadedSet, loadSet } from "../../src/people/screening/screener.ts";
import type { Db } from "../../src/platform/db/connect.ts";
import type { Service } from "./service.ts";

/** The service has loaded the set. Without a notification it would poll for it. */
export async function isLoaded({ db, screener }: Service, setId: number): Promise<void> {
  await db.pool.query("notify disburse_screening_set");
  while (screener?.loaded?.setId !== setId) await sleep(20);
}

/** The set in the database, in memory. */
export async function loadNow(db: Db): Promise<LoadedSet> {
  const loaded = await loadSet(db);
  if (!loaded) throw new Error("a migration creates the first set");
  return loaded;
}

export type FoundHit = {
  subject_kind: string;
  subject_id: string;
  list: string;
  entry_key: string;
  status: string;
  score: number;
  reason: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it
  explanation: any;
  id: string;
};

/** The hits of a receiver and its accounts, by list and entry. */
export async function hitsOf(
  db: Db,
  subaccountId: string,
  receiverId: string,
): Promise<FoundHit[]> {
  const { rows } = await db.pool.query(
    `select * from screening_hit where subaccount_id = $1 and receiver_id = $2
     order by list, entry_key, opened_at_ms, id`,
    [subaccountId, receiverId],
  );
  return rows;
}

export async function recordOf(db: Db, subjectId: string): Promise<number | undefined> {
  const { rows } = await db.pool.query(
    "select set_id from screening_record where subject_id = $1",
    [subjectId],
  );
  return rows[0] && Number(rows[0].set_id);
}
