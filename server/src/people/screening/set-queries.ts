// The SQL of sets: the entries of all lists that are in force together.

import { type Runner, statement } from "../../platform/db/index.ts";
import type { ListEntry, ListName, StoredEntry } from "../list-files/index.ts";

/** Notified with the id of each new set, when it is committed. */
export const screeningSetChannel = "disburse_screening_set";

const findCurrent = statement<{ id: string }>(
  "screening-list-set",
  "select coalesce(max(id), 0) as id from screening_set",
);

export async function currentSetId(db: Runner): Promise<number> {
  return Number((await db.run(findCurrent))[0]?.id ?? 0);
}

type EntryRow = { list: ListName; hash: string; entry: ListEntry };

const isInSet = "from_set <= $1 and (to_set is null or to_set > $1)";

const findEntries = statement<EntryRow>(
  "screening-list-entries",
  `select list, hash, entry from screening_entry
   where ${isInSet} and (list, key) > ($2, $3)
   order by list, key limit $4`,
);

const findChanged = statement<EntryRow>(
  "screening-list-entries-changed",
  `select list, hash, entry from screening_entry
   where ${isInSet} and (list, key) > ($2, $3) and from_set > $5
   order by list, key limit $4`,
);

const pageSize = 2_000;

/** Every entry of a set. */
export function loadEntries(db: Runner, setId: number): Promise<StoredEntry[]> {
  return loadPages((place) => db.run(findEntries, [setId, ...place, pageSize]));
}

/** The entries of a set that are new or changed since an earlier set. */
export function loadChangedEntries(
  db: Runner,
  sinceSetId: number,
  setId: number,
): Promise<StoredEntry[]> {
  return loadPages((place) => db.run(findChanged, [setId, ...place, pageSize, sinceSetId]));
}

async function loadPages(
  nextPage: (place: [list: string, key: string]) => Promise<EntryRow[]>,
): Promise<StoredEntry[]> {
  const all: StoredEntry[] = [];
  let place: [string, string] = ["", ""];
  for (;;) {
    const rows = await nextPage(place);
    for (const { list, hash, entry } of rows) all.push({ ...entry, list, hash });
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return all;
    place = [last.list, last.entry.key];
  }
}

const findEnded = statement<{ list: ListName; key: string; hash: string }>(
  "screening-list-entries-ended",
  `select list, key, hash from screening_entry where to_set > $1 and to_set <= $2 and from_set <= $1
   order by list, key`,
);

/** The entries of an earlier set that are gone or changed in a later one, by the hash that they had. */
export function findEndedEntries(
  db: Runner,
  sinceSetId: number,
  setId: number,
): Promise<{ list: ListName; key: string; hash: string }[]> {
  return db.run(findEnded, [sinceSetId, setId]);
}
