// The SQL of a hit as a case: the entry of the list.

import type { ListEntry } from "../../../../people/list-files/index.ts";
import type { HitRow } from "../../../../people/screening/index.ts";
import { type Runner, statement } from "../../../../platform/db/index.ts";

const findEntryOf = statement<{ entry: ListEntry }>(
  "screening-list-entry-of-hit",
  `select entry from screening_entry where list = $1 and key = $2 and hash = $3 order by from_set desc limit 1`,
);

/** The entry as it was when the hit was opened. */
export async function findListEntry(
  db: Runner,
  { list, entry_key, entry_hash }: Pick<HitRow, "list" | "entry_key" | "entry_hash">,
): Promise<ListEntry | undefined> {
  return (await db.run(findEntryOf, [list, entry_key, entry_hash]))[0]?.entry;
}
