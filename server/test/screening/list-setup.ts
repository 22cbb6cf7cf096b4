// Lists of made-up entries in the database, and what screening wrote about a subject.

import type { Db } from "../../src/db/connect.ts";
import { entryHash, type ListEntry } from "../../src/screening/lists/list-entry.ts";
import { type LoadedSet, loadSet } from "../../src/screening/screener.ts";

export function person(key: string, name: string, changes: Partial<ListEntry> = {}): ListEntry {
  return {
    key,
    kind: "person",
    names: [{ text: name, isWeak: false }],
    birthDates: [],
    countries: [],
    program: "TEST",
    remarks: "",
    ...changes,
  };
}

export const organisation = (key: string, name: string, changes: Partial<ListEntry> = {}) =>
  person(key, name, { kind: "organisation", ...changes });

export const country = (key: string) =>
  person(key, key, { kind: "country", countries: [key] });

/** Makes these entries the current ones of a list, as an import does. Returns the new set. */
export async function putList(db: Db, list: string, entries: readonly ListEntry[]): Promise<number> {
  const client = await db.pool.connect();
  try {
    await client.query("begin");
    const { rows } = await client.query(
      "insert into screening_set (versions, at_ms) values ('{}', 1) returning id",
    );
    const setId = Number(rows[0].id);
    const rowsOf = JSON.stringify(entries.map((entry) => ({ ...entry, hash: entryHash(entry) })));
    const given = "(select e ->> 'key' as key, e ->> 'hash' as hash, e - 'hash' as entry from jsonb_array_elements($2) e)";
    await client.query(
      `update screening_entry known set to_set = $3 where list = $1 and to_set is null
         and not exists (select from ${given} g where g.key = known.key and g.hash = known.hash)`,
      [list, rowsOf, setId],
    );
    await client.query(
      `insert into screening_entry (list, key, from_set, hash, entry)
       select $1, g.key, $3, g.hash, g.entry from ${given} g
       where not exists (select from screening_entry known
                         where known.list = $1 and known.key = g.key and known.to_set is null)`,
      [list, rowsOf, setId],
    );
    await client.query("commit");
    return setId;
  } finally {
    client.release();
  }
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
export async function hitsOf(db: Db, subaccountId: string, receiverId: string): Promise<FoundHit[]> {
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

