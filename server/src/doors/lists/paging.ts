// Pages of the console's lists: their length and their cursor.

import Type, { type TSchema } from "typebox";
import { readCursor, readSortedCursor, writeSortedCursor } from "../../platform/base/index.ts";
import { cutPage, type ListPage, pagesOf } from "../../platform/db/index.ts";
import { defineFormat, optional } from "../../platform/fields/index.ts";
import { limits } from "../../platform/limits/index.ts";

defineFormat("rows", (text) => {
  const rows = Number(text);
  return /^\d{1,3}$/.test(text) && rows >= 1 && rows <= limits.rowsMax;
});

export const rowsField = optional(Type.String({ format: "rows" }));
defineFormat(
  "sorted-cursor",
  (text) => readCursor(text) !== undefined || readSortedCursor(text) !== undefined,
);
/** Of a list that can be sorted. */
export const sortedCursorField = optional(Type.String({ format: "sorted-cursor" }));
export const cursorField = optional(Type.String({ format: "list-cursor" }));
/** Milliseconds since the epoch. */
export const timeField = optional(Type.String({ pattern: "^\\d{1,15}$" }));

export function pageSizeOf({ limit }: { limit?: string }): number {
  return limit === undefined ? limits.rowsDefault : Number(limit);
}

export function pageOf<Row extends TSchema>(row: Row) {
  return Type.Object({ rows: Type.Array(row), next: Type.Union([Type.String(), Type.Null()]) });
}

/** Of a list that can be sorted. `sorted_among`: only this many of the newest rows were sorted. Null: all of them. */
export function sortedPageOf<Row extends TSchema>(row: Row) {
  const sorted_among = Type.Union([Type.Number(), Type.Null()]);
  return Type.Object({ ...pageOf(row).properties, sorted_among });
}

/**
 * The page of `size` rows, out of the newest rows of a filter, sorted by something else than their age. Later pages sort
 * the same rows: those up to `topId`.
 */
export async function cutSortedPage<Row extends { id: string }>(
  found: { rows: readonly Row[]; topId: string | undefined; scanned: number },
  { size, scannedMax }: { size: number; scannedMax: number },
  keyOf: (row: Row) => bigint,
) {
  const cursorOf = (row: Row) =>
    writeSortedCursor({ topId: found.topId ?? row.id, id: row.id, key: keyOf(row) });
  const page = await cutPage(found.rows, size, cursorOf);
  return { ...page, sorted_among: found.scanned < scannedMax ? null : found.scanned };
}

/** All pages of a list, for a CSV file. */
export function csvPagesOf<Query extends object, Row>(
  query: Query,
  read: (query: Query & { limit: string; cursor?: string }) => Promise<ListPage<Row>>,
): () => Promise<readonly Row[]> {
  const limit = String(limits.rowsMax);
  return pagesOf((cursor) => read({ ...query, limit, ...(cursor && { cursor }) }));
}
