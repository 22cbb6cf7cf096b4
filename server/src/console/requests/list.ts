// The list of requests: a page of it, all of it, and the failures by their kind.

import type { Clock } from "../../clock.ts";
import { firstIdOf, writeCursor } from "../../cursor.ts";
import type { Runner } from "../../db/connect.ts";
import { idTimeMs } from "../../ids.ts";
import { limits } from "../../limits.ts";
import { refusals } from "../../refusals/refusals.ts";
import { listErrorGroups, listRequests } from "../../request-log/queries.ts";
import { requestScanOf } from "./filter.ts";
import { presentRequestRow } from "./present.ts";
import type { RequestErrors, RequestLine, RequestsFilter, RequestsPage } from "./schema.ts";

/** A page may have no rows and yet a next one: then none of those that were looked at fits the filter. */
export async function readRequestPage(
  db: Runner,
  subaccountId: string,
  filter: RequestsFilter,
): Promise<RequestsPage> {
  const walk = requestScanOf(subaccountId, filter);
  const { rows, endId } = await listRequests(db, walk);
  const shown = rows.slice(0, walk.limit - 1);
  const lastId = rows.length === walk.limit ? shown.at(-1)?.id : endId;
  return { rows: shown.map(presentRequestRow), next: lastId ? writeCursor(lastId) : null };
}

export const requestCsvColumns = [
  ...(["time", "id", "method", "path", "route", "status", "ms", "key", "ip", "agent"] as const),
  ...(["codes", "object_id"] as const),
];
export type RequestCsvLine = Record<(typeof requestCsvColumns)[number], string | number>;

/** Gives the rest of the list, piece by piece; an empty piece is its end. */
export function readAllRequests(
  db: Runner,
  subaccountId: string,
  filter: RequestsFilter,
): () => Promise<RequestCsvLine[]> {
  let cursor: string | undefined;
  let isDone = false;
  return async () => {
    while (!isDone) {
      const asked = { ...filter, limit: String(limits.rowsMax), ...(cursor && { cursor }) };
      const { rows, next } = await readRequestPage(db, subaccountId, asked);
      cursor = next ?? undefined;
      isDone = next === null;
      if (rows.length > 0) return rows.map(toCsvLine);
    }
    return [];
  };
}

function toCsvLine({ at, codes, about, ...line }: RequestLine): RequestCsvLine {
  const time = new Date(at).toISOString();
  return { ...line, time, codes: codes.join(" "), object_id: about?.id ?? "" };
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
  return { rows, looked_at, is_whole: looked_at < limits.requestsLookedAtMax };
}
