// What a new version changes in the entries in force, and how they begin and end with a new set.

import type { Tx } from "../../platform/db/index.ts";
import { type HashedEntry, type ListName, listLimits } from "../list-files/index.ts";
import { currentSetId } from "../screening/index.ts";
import { endEntries, insertEntries, insertSet, notifyNewSet } from "./version-queries.ts";

export type Changes = { added: HashedEntry[]; changed: HashedEntry[]; removed: string[] };

/** `current` has the hash of each entry in force by its key. */
export function changesOf(
  current: ReadonlyMap<string, string>,
  entries: readonly HashedEntry[],
): Changes {
  const changes: Changes = { added: [], changed: [], removed: [] };
  const left = new Set(current.keys());
  for (const one of entries) {
    left.delete(one.entry.key);
    const hash = current.get(one.entry.key);
    if (hash === undefined) changes.added.push(one);
    else if (hash !== one.hash) changes.changed.push(one);
  }
  changes.removed = [...left];
  return changes;
}

/**
 * Begins a set with the changes of one list, and returns it. A version that changes no entry needs none: everything that
 * was screened against the current set was screened against it too.
 */
export async function startEntries(
  tx: Tx,
  version: { list: ListName; id: string },
  { added, changed, removed }: Changes,
  { atMs, onProgress }: { atMs: number; onProgress?: ((written: number) => void) | undefined },
): Promise<number> {
  if (added.length + changed.length + removed.length === 0) return currentSetId(tx);
  const setId = await insertSet(tx, version, atMs);
  const ended = [...removed, ...changed.map(({ entry }) => entry.key)];
  for (const keys of pages(ended)) await endEntries(tx, version.list, keys, setId);
  let written = 0;
  for (const page of pages([...added, ...changed])) {
    await insertEntries(tx, version.list, setId, page);
    written += page.length;
    onProgress?.(written);
  }
  await notifyNewSet(tx, setId);
  return setId;
}

function* pages<One>(all: readonly One[]): Generator<readonly One[], void, void> {
  for (let start = 0; start < all.length; start += listLimits.entriesPage) {
    yield all.slice(start, start + listLimits.entriesPage);
  }
}
