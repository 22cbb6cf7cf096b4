// Cursors of lists. Lists are ordered by descending id, which is newest first.

/** Below every id. */
export const oldestId = "00000000-0000-0000-0000-000000000000";
/** Above every id: the first page starts here. */
export const newestId = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** The smallest id that could have been made at this time. */
export function firstIdOf(ms: number): string {
  const hex = Math.min(ms, 2 ** 48 - 1)
    .toString(16)
    .padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** The id that a page stays below: the id of its cursor, or the first one at the time `to`. */
export function beforeIdOf({ to, cursor }: { to?: string; cursor?: string }): string {
  const before = to === undefined ? newestId : firstIdOf(Number(to));
  const after = cursor && readCursor(cursor);
  return after && after < before ? after : before;
}

/** A cursor is the id of the last record shown. Callers treat it as opaque. */
export function writeCursor(id: string): string {
  return Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url");
}

export function readCursor(cursor: string): string | undefined {
  if (!/^[A-Za-z0-9_-]{22}$/.test(cursor)) return undefined;
  const hex = Buffer.from(cursor, "base64url").toString("hex");
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return writeCursor(id) === cursor ? id : undefined;
}
