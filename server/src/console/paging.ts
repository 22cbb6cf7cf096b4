// Pages of the console's lists, for every list alike: how long one is, and where the next begins.

import Type, { type TSchema } from "typebox";
import { newestId, readCursor } from "../cursor.ts";
import { defineFormat } from "../fields/fields.ts";
import { limits } from "../limits.ts";
import { optional } from "./fields.ts";

defineFormat("rows", (text) => {
  const rows = Number(text);
  return /^\d{1,3}$/.test(text) && rows >= 1 && rows <= limits.rowsMax;
});
defineFormat("row-cursor", (text) => readCursor(text) !== undefined);

export const rowsField = optional(Type.String({ format: "rows" }));
export const cursorField = optional(Type.String({ format: "row-cursor" }));
/** Milliseconds since the epoch. */
export const timeField = optional(Type.String({ pattern: "^\\d{1,15}$" }));

export function pageSizeOf({ limit }: { limit?: string }): number {
  return limit === undefined ? limits.rowsDefault : Number(limit);
}

/** The id after which the page begins, in a list that is newest first. */
export function beforeIdOf({ cursor }: { cursor?: string }): string {
  return (cursor && readCursor(cursor)) || newestId;
}

export function pageOf<Row extends TSchema>(row: Row) {
  return Type.Object({ rows: Type.Array(row), next: Type.Union([Type.String(), Type.Null()]) });
}
