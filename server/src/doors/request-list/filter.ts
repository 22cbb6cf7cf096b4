// Chooses the index scan for a filter. Pure.

import {
  beforeIdOf,
  firstIdOf,
  idAfter,
  idTimeMs,
  readCursor,
  withoutEventPrefix,
} from "../../platform/base/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { RequestScan, RequestSort } from "../../tenants/request-log/index.ts";
import { pageSizeOf } from "../lists/index.ts";
import type { RequestsFilter } from "./schema.ts";

export function requestScanOf(subaccountId: string, filter: RequestsFilter): RequestScan {
  const { method, route, code, key, object, status, after } = filter;
  const limit = pageSizeOf(filter) + 1;
  // A request is stored after its response, but ordered by its arrival.
  const afterMs = after === undefined ? 0 : Math.max(0, idTimeMs(after) - limits.requestTimeoutMs);
  const { statusMin, statusMax } = statusesOf(status);
  // Without a filter, every row matches.
  const isPlain = [method, route, code, key, object, status].every((one) => one === undefined);
  return {
    subaccountId,
    method,
    route,
    code,
    key,
    statusMin,
    statusMax,
    limit,
    objectId: object && withoutEventPrefix(object).toLowerCase(),
    ...placeOf(filter, firstIdOf(Math.max(Number(filter.from ?? 0), afterMs))),
    scannedMax: isPlain ? limit : Math.max(limit, limits.requestsScannedMax),
  };
}

/** The ids of the time range, from the end of the page before on. */
function placeOf(
  { to, cursor, sort }: RequestsFilter,
  fromId: string,
): Pick<RequestScan, "beforeId" | "fromId" | "direction"> {
  const range = to === undefined ? {} : { to };
  if (sort !== "received") {
    const beforeId = beforeIdOf({ ...range, ...(cursor && { cursor }) });
    return { beforeId, fromId, direction: "newest" };
  }
  const after = cursor && readCursor(cursor);
  const nextId = after ? idAfter(after) : fromId;
  const startId = nextId > fromId ? nextId : fromId;
  return { beforeId: beforeIdOf(range), fromId: startId, direction: "oldest" };
}

/** Undefined: by arrival, which needs no sort. */
export function requestSortOf(sort: string | undefined): RequestSort | undefined {
  const isDescending = sort?.startsWith("-") ?? false;
  const by = isDescending ? sort?.slice(1) : sort;
  return by === "took" || by === "status" ? { by, isDescending } : undefined;
}

function statusesOf(status: string | undefined): Pick<RequestScan, "statusMin" | "statusMax"> {
  if (status === undefined) return { statusMin: 0, statusMax: 999 };
  if (!status.endsWith("xx")) return { statusMin: Number(status), statusMax: Number(status) };
  const statusMin = Number(status.charAt(0)) * 100;
  return { statusMin, statusMax: statusMin + 99 };
}
