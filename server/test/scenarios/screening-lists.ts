// Lists of made-up entries in the database, without files.

import { entryHash, type ListEntry } from "../../src/people/list-files/list-entry.ts";
import type { Db } from "../../src/platform/db/connect.ts";

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

export const country = (key: string) => person(key, key, { kind: "country", countries: [key] });

/** Makes these entries the current ones of a list, as an import does. Returns the new set. */
export async function putList(
  db: Db,
  list: string,
  entries: readonly ListEntry[],
): Promise<number> {
  const rowsOf = JSON.stringify(entries.map((entry) => ({ ...entry, hash: entryHash(entry) })));
  const client = await db.pool.connect();
  try {
    await client.query("begin");
    // A list of 30,000 entries takes a while on a busy machine.
    await client.query("set local statement_timeout = 0");
    const { rows } = await client.query(
      "insert into screening_set (versions, at_ms) values ('{}', 1) returning id",
    );
    const setId = Number(rows[0].id);
    const given =
      "(select e ->> 'key' as key, e ->> 'hash' as hash, e - 'hash' as entry from jsonb_array_elements($2) e)";
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
