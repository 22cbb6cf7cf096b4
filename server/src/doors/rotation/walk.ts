// Walks through an encrypted column: counts its values by key, or encrypts those under other keys again, in portions.

import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../../platform/db/index.ts";
import { type KeyRing, keyIdOf, ofPersonKeys, type Seal } from "../../platform/encryption/index.ts";
import {
  type HeadRow,
  listHeads,
  listValues,
  updateValues,
  type ValueRow,
} from "./column-queries.ts";
import type { EncryptedColumn, KeyValues } from "./encrypted-columns.ts";

const keysPerPage = 5_000;
const valuesPerPortion = 200;
const largeValuesPerPortion = 4;

export type ColumnWalk = {
  db: Db;
  seal: Seal;
  ring: KeyRing;
  /** Ends the walk after the current portion. */
  signal?: AbortSignal | undefined;
  onPortion?: (values: number) => Promise<void> | void;
};

async function* pagesOf(
  { db, signal }: ColumnWalk,
  column: EncryptedColumn,
): AsyncGenerator<HeadRow[]> {
  let after: KeyValues | undefined;
  while (!signal?.aborted) {
    const page = await listHeads(db, column, { after, limit: keysPerPage });
    yield page.rows;
    after = page.next;
    if (!after) return;
  }
}

/** The number of values under each key. */
export async function countByKey(
  walk: ColumnWalk,
  column: EncryptedColumn,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const rows of pagesOf(walk, column)) {
    for (const { head } of rows) {
      const id = keyIdOf(head, walk.ring.originalId);
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
  }
  return counts;
}

export type Reencrypted = {
  /** Values that were found under another key than the current one. */
  found: number;
  changed: number;
  /** Values that can't be decrypted, and stay as they are: table, column and key. */
  unreadable: string[];
};

/** Encrypts every value again that is not under the current key. A value that changes meanwhile is left to the next walk. */
export async function reencryptColumn(
  walk: ColumnWalk,
  column: EncryptedColumn,
): Promise<Reencrypted> {
  const { ring, signal, onPortion } = walk;
  const size = column.isLarge ? largeValuesPerPortion : valuesPerPortion;
  const total: Reencrypted = { found: 0, changed: 0, unreadable: [] };
  for await (const rows of pagesOf(walk, column)) {
    const due = rows.filter(({ head }) => isDue(ring, head));
    total.found += due.length;
    for (let from = 0; from < due.length && !signal?.aborted; from += size) {
      const startMs = performance.now();
      const keys = due.slice(from, from + size).map(({ key }) => key);
      const { changed, unreadable } = await reencryptPortion(walk, column, keys);
      total.changed += changed;
      total.unreadable.push(...unreadable);
      await onPortion?.(changed);
      // Half of the time is left to the service.
      await sleep(performance.now() - startMs);
    }
  }
  return total;
}

/** A value under the key of a person stays as it is: that key is encrypted again. */
function isDue(ring: KeyRing, sealed: Buffer): boolean {
  const id = keyIdOf(sealed, ring.originalId);
  return id !== ring.writing.id && id !== ofPersonKeys;
}

async function reencryptPortion(
  { db, seal, ring }: ColumnWalk,
  column: EncryptedColumn,
  keys: readonly KeyValues[],
): Promise<Pick<Reencrypted, "changed" | "unreadable">> {
  const read = new Map((await listValues(db, column, keys)).map((row) => [row.key.join(), row]));
  // In the order of the keys, in which the rows are locked.
  const rows = keys.map((key) => read.get(key.join())).filter((row) => row !== undefined);
  const unreadable: string[] = [];
  const again = rows
    .filter(({ sealed }) => isDue(ring, sealed))
    .flatMap(({ key, sealed: before }: ValueRow) => {
      const identity = column.identityOf(...key);
      const text = seal.decryptIfReadable(before, identity);
      if (text !== undefined) return [{ key, before, sealed: seal.encrypt(text, identity) }];
      unreadable.push(`${column.table}.${column.column} ${key.join(" ")}`);
      return [];
    });
  if (again.length === 0) return { changed: 0, unreadable };
  const changed = await db.transaction(async (tx) => {
    const written = new Set((await updateValues(tx, column, again)).map((key) => key.join()));
    for (const { key, before, sealed } of again) {
      if (written.has(key.join())) await column.onChange?.(tx, before, sealed);
    }
    return written.size;
  });
  return { changed, unreadable };
}
