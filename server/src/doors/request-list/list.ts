// The list of requests, as a page and as CSV, and the failures by code.

import {
  type Clock,
  firstIdOf,
  idAfter,
  idTimeMs,
  readSortedCursor,
} from "../../platform/base/index.ts";
import { cursorOfId, cutPage, type Runner } from "../../platform/db/index.ts";
import { isoTime } from "../../platform/documents/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { refusals } from "../../platform/refusals/index.ts";
import {
  listErrorGroups,
  listRequests,
  type RequestRow,
  type RequestScan,
  type RequestSort,
  sortRequests,
} from "../../tenants/request-log/index.ts";
import { cutSortedPage } from "../lists/index.ts";
import { requestScanOf, requestSortOf } from "./filter.ts";
import { presentRequestRow } from "./present.ts";
import type { RequestErrors, RequestLine, RequestsFilter, RequestsPage } from "./schema.ts";

/** The scan is bounded: a page may have no rows and yet a next one. */
export async function readRequestPage(
  db: Runner,
  subaccountId: string,
  filter: RequestsFilter,
): Promise<RequestsPage> {
  const walk = requestScanOf(subaccountId, filter);
  const sort = requestSortOf(filter.sort);
  if (sort) return readSortedPage(db, walk, { sort, cursor: filter.cursor });
  const { rows, endId } = await listRequests(db, walk);
  const page = await cutPage(rows, walk.limit - 1, cursorOfId, () => endId);
  return { rows: page.rows.map(presentRequestRow), next: page.next, sorted_among: null };
}

/** Sorts the newest requests of the filter. Later pages sort the same ones. */
async function readSortedPage(
  db: Runner,
  walk: RequestScan,
  { sort, cursor }: { sort: RequestSort; cursor: string | undefined },
): Promise<RequestsPage> {
  const after = cursor ? readSortedCursor(cursor) : undefined;
  const scannedMax = limits.requestsScannedMax;
  const beforeId = after ? idAfter(after.topId) : walk.beforeId;
  const found = await sortRequests(db, { ...walk, beforeId, scannedMax }, { sort, after });
  const keyOf = ({ took_us, status }: RequestRow) => BigInt(sort.by === "took" ? took_us : status);
  const page = await cutSortedPage(found, { size: walk.limit - 1, scannedMax }, keyOf);
  return { ...page, rows: page.rows.map(presentRequestRow) };
}

export const requestCsvColumns = [
  ...["time", "id", "method", "path", "route", "status", "ms", "key", "ip", "agent"],
  ...["codes", "object_id"],
];

/** The cells that are not fields of a row. */
export function toRequestCells({ at, about }: RequestLine) {
  return { time: isoTime(at), object_id: about?.id };
}

const spans = { "24h": 24 * 3600 * 1000, "7d": 7 * 24 * 3600 * 1000 };
export type RequestTimeRange = keyof typeof spans;

export async function readErrors(
  { db, clock }: { db: Runner; clock: Clock },
  subaccountId: string,
  within: RequestTimeRange,
): Promise<RequestErrors> {
  const groups = await listErrorGroups(db, subaccountId, firstIdOf(clock() - spans[within]));
  const looked_at = groups[0]?.looked_at ?? 0;
  const rows = groups.map(({ code, method, route, status, count, last_id }) => {
    const known = Object.hasOwn(refusals, code)
      ? refusals[code as keyof typeof refusals]
      : undefined;
    const [, text = "", cure = ""] = known ?? [];
    return { code, text, cure, method, route, status, count, last_id, last_at: idTimeMs(last_id) };
  });
  return { rows, looked_at, is_whole: looked_at < limits.requestsScannedMax };
}
