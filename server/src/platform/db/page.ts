// Pages of lists. A scan asks for one row more than the page shows; the last row shown is where the next page begins.

import { writeCursor } from "../base/index.ts";
import { limits } from "../limits/index.ts";

export type ListPage<Row> = { rows: Row[]; next: string | null };

/** How many rows a public list reads: one more than its page shows, which tells whether there is a next page. */
export function readLimitOf({ limit }: { limit?: string }): number {
  return (limit === undefined ? limits.listDefault : Number(limit)) + 1;
}

/** The cursor of a list in the order of its ids. */
export function cursorOfId({ id }: { id: string }): string {
  return writeCursor(id);
}

/**
 * The page of `size` rows, out of `size + 1` that were requested. A bounded scan says with `stoppedAt` at which id it
 * stopped: its page may be short, or empty, and yet have a next one.
 */
export async function cutPage<Row>(
  found: readonly Row[],
  size: number,
  cursorOf: (row: Row) => string,
  stoppedAt?: () => string | undefined | Promise<string | undefined>,
): Promise<ListPage<Row>> {
  const rows = found.slice(0, size);
  const last = found.length > size ? rows.at(-1) : undefined;
  if (last !== undefined) return { rows, next: cursorOf(last) };
  const endId = await stoppedAt?.();
  return { rows, next: endId === undefined ? null : writeCursor(endId) };
}

/** Reads a list to its end for a CSV file. Each call gives the rows of the next page that has any; none at the end. */
export function pagesOf<Row>(
  read: (cursor: string | undefined) => Promise<{ rows: readonly Row[]; next: string | null }>,
): () => Promise<readonly Row[]> {
  let cursor: string | null | undefined;
  return async () => {
    while (cursor !== null) {
      const { rows, next } = await read(cursor);
      cursor = next;
      if (rows.length > 0) return rows;
    }
    return [];
  };
}
