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

/** The smallest id above another. */
export function idAfter(id: string): string {
  const next = BigInt(`0x${id.replaceAll("-", "")}`) + 1n;
  return idOfHex(next.toString(16).padStart(32, "0"));
}

function idOfHex(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** A cursor is the id of the last record shown. Callers treat it as opaque. */
export function writeCursor(id: string): string {
  return Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url");
}

export function readCursor(cursor: string): string | undefined {
  if (!/^[A-Za-z0-9_-]{22}$/.test(cursor)) return undefined;
  const id = idOfHex(Buffer.from(cursor, "base64url").toString("hex"));
  return writeCursor(id) === cursor ? id : undefined;
}

/** Where the next page of a sorted list starts. */
export type SortedPlace = {
  /** The newest record that was sorted. Later pages sort the same records. */
  topId: string;
  /** The last record shown, and the number that it was sorted by (0 where that is no number). */
  id: string;
  key: bigint;
};

export function writeSortedCursor({ topId, id, key }: SortedPlace): string {
  const bytes = Buffer.alloc(40);
  bytes.write(topId.replaceAll("-", ""), 0, "hex");
  bytes.write(id.replaceAll("-", ""), 16, "hex");
  bytes.writeBigInt64BE(key, 32);
  return bytes.toString("base64url");
}

export function readSortedCursor(cursor: string): SortedPlace | undefined {
  if (!/^[A-Za-z0-9_-]{54}$/.test(cursor)) return undefined;
  const bytes = Buffer.from(cursor, "base64url");
  const place = {
    topId: idOfHex(bytes.toString("hex", 0, 16)),
    id: idOfHex(bytes.toString("hex", 16, 32)),
    key: bytes.readBigInt64BE(32),
  };
  return writeSortedCursor(place) === cursor ? place : undefined;
}
