// An export: every row once, in the order of ids, from a cursor to a moment ago. The last line has the count, the hash of
// all lines before it, and the cursor of the next export.

import { createHash } from "node:crypto";
import {
  type Clock,
  firstIdOf,
  idTimeMs,
  oldestId,
  writeCursor,
} from "../../platform/base/index.ts";
import { type Db, oldestTransactionMs } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { exportLine } from "./lines.ts";
import { type ExportKind, listForExport } from "./queries.ts";

export type ExportRequest = {
  kinds: readonly ExportKind[];
  /** Undefined: from the beginning. */
  afterId: string | undefined;
  /** Undefined: of all subaccounts. */
  subaccountId: string | undefined;
};

const hourMs = 3_600_000;

/**
 * The last id that an export may reach. An id is made before its row is committed, so a row may appear after one with a
 * later id. No row below this id can appear any more: it stays behind the clock and behind the oldest open transaction,
 * by more than an id can be older than its transaction, or two clocks can differ.
 */
export async function findExportEnd(db: Db, clock: Clock): Promise<string> {
  // The clock first: a transaction that begins later makes later ids.
  const nowMs = clock();
  const openMs = (await oldestTransactionMs(db)) ?? nowMs;
  return firstIdOf(Math.min(nowMs, openMs) - limits.exportLagMs);
}

/** Chunks of whole lines. */
export async function* writeExport(
  { db, seal }: Reading,
  { kinds, afterId = oldestId, subaccountId }: ExportRequest,
  endId: string,
): AsyncGenerator<string> {
  const hash = createHash("sha256");
  let count = 0;
  for await (const lines of pagesOf({ db, seal }, { kinds, afterId, subaccountId }, endId)) {
    const text = lines.join("");
    count += lines.length;
    hash.update(text);
    if (text !== "") yield text;
  }
  const cursor = writeCursor(endId > afterId ? endId : afterId);
  yield `${JSON.stringify({ kind: "end", count, sha256: hash.digest("hex"), cursor })}\n`;
}

type Reading = { db: Db; seal: Seal };
type Rest = ExportRequest & { afterId: string };

async function* pagesOf(
  { db, seal }: Reading,
  request: Rest,
  endId: string,
): AsyncGenerator<string[]> {
  const { kinds, subaccountId } = request;
  const limit = limits.listMax;
  let widthMs = hourMs;
  let after: string | undefined = await skipGap(db, request, endId);
  while (after !== undefined && after < endId) {
    const windowEnd = firstIdOf(idTimeMs(after) + widthMs);
    const upToId = windowEnd < endId ? windowEnd : endId;
    const pages: { id: string; line: string }[][] = [];
    for (const kind of kinds) {
      const rows = await listForExport(db, kind, { subaccountId, afterId: after, upToId, limit });
      pages.push(rows.map((row) => ({ id: row.id, line: exportLine(kind, row, seal) })));
    }
    // A full page may have left rows out; the others are read again from where it ends.
    const ends = pages.filter((page) => page.length === limit).map((page) => page.at(-1)?.id ?? "");
    const reached = ends.reduce((least, id) => (id < least ? id : least), upToId);
    const rows = pages.flat().filter(({ id }) => id <= reached);
    rows.sort((one, other) => (one.id < other.id ? -1 : 1));
    yield rows.map(({ line }) => line);
    // The next window should hold about one page.
    if (ends.length > 0) widthMs = Math.max(1, idTimeMs(reached) - idTimeMs(after));
    else if (rows.length < limit / 2) widthMs *= 2;
    after = rows.length > 0 ? reached : await skipGap(db, { ...request, afterId: reached }, endId);
  }
}

/** A place right before the next row, so that years without rows take one step. Undefined: there is none. */
async function skipGap(
  db: Db,
  { kinds, subaccountId, afterId }: Rest,
  endId: string,
): Promise<string | undefined> {
  const window = { subaccountId, afterId, upToId: endId, limit: 1 };
  const ids: string[] = [];
  for (const kind of kinds) {
    const [row] = await listForExport(db, kind, window);
    if (row) ids.push(row.id);
  }
  const next = ids.sort()[0];
  if (next === undefined) return undefined;
  // The window does not include its first id.
  const before = firstIdOf(idTimeMs(next) - 1);
  return before > afterId ? before : afterId;
}
