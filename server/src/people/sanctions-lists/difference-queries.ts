// The SQL of what a version changes, page by page: against the entries in force while it waits, then as its set did.

import { type Runner, statement } from "../../platform/db/index.ts";
import type { ListEntry } from "../list-files/index.ts";
import type { VersionRow } from "./version-queries.ts";

export const changeKinds = ["added", "changed", "removed"] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** An entry that a version adds has no `before`, one that it removes no `after`. */
export type EntryChange = { key: string; before: ListEntry | null; after: ListEntry | null };

/** $1: the set or the version, $2: the list. Each has the entries of one side. */
type Sides = { name: string; before: string; after: string };

const bySet: Sides = {
  name: "set",
  before: "select key, hash, entry from screening_entry where to_set = $1::bigint and list = $2",
  after: "select key, hash, entry from screening_entry where from_set = $1::bigint and list = $2",
};
const ofWaiting: Sides = {
  name: "waiting",
  before: "select key, hash, entry from screening_entry where to_set is null and list = $2",
  after: "select key, hash, entry from screening_waiting_entry where version_id = $1::uuid",
};

const joins: Record<ChangeKind, string> = {
  added: "a left join b using (key) where b.key is null",
  changed: "a join b using (key) where a.hash <> b.hash",
  removed: "b left join a using (key) where a.key is null",
};

const pageOf = ({ name, before, after }: Sides, kind: ChangeKind) =>
  statement<EntryChange>(
    `screening-list-${name}-${kind}`,
    `with b as (${before}), a as (${after})
     select key, b.entry as before, a.entry as after from ${joins[kind]} and key > $3 order by key limit $4`,
  );
const pagesOf = (sides: Sides) => ({
  added: pageOf(sides, "added"),
  changed: pageOf(sides, "changed"),
  removed: pageOf(sides, "removed"),
});
const pages = { set: pagesOf(bySet), waiting: pagesOf(ofWaiting) };

/** By key. None of a version that never took effect, whose entries are not kept, or that changed nothing. */
export async function listChanges(
  db: Runner,
  { id, list, status, set_id, added, changed, removed }: VersionRow,
  { kind, afterKey, limit }: { kind: ChangeKind; afterKey: string; limit: number },
): Promise<EntryChange[]> {
  const place = [list, afterKey, limit];
  if (status === "waiting") return db.run(pages.waiting[kind], [id, ...place]);
  // A version without changes has the set of another one.
  if (set_id === null || added + changed + removed === 0) return [];
  return db.run(pages.set[kind], [set_id, ...place]);
}
