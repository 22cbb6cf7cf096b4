// Presents a row of the request log: its path, put together again, and its object. Pure.

import { idTimeMs } from "../../platform/base/index.ts";
import { eventName } from "../../platform/event-catalogue/index.ts";
import { hidden, type RequestRow } from "../../tenants/request-log/index.ts";
import type { Linked, RequestLine } from "./schema.ts";

/** Shown instead of redacted values. */
export const redacted = "[redacted]";

export function presentRequestRow(row: RequestRow): RequestLine {
  return {
    id: row.id,
    key: row.key,
    method: row.method,
    route: row.route,
    status: row.status,
    at: idTimeMs(row.id),
    path: pathOf(row),
    ms: Math.round(row.took_us / 10) / 100,
    ip: row.ip ?? "",
    agent: row.agent ?? "",
    codes: row.codes ? row.codes.split(" ") : [],
    about: objectOf(row) ?? null,
  };
}

function pathOf({ route, object_id, query }: RequestRow): string {
  // A request without a route has its whole path in one field.
  if (route === "") return shownPath(query ?? "");
  const named = route.startsWith("/api/event/") && object_id ? eventName(object_id) : object_id;
  const path = route.replace(":id", named ?? redacted);
  return query === null ? path : `${path}?${shownQuery(query)}`;
}

export function shownPath(path: string): string {
  const [start = "", query] = path.split("?", 2);
  const shown = start.replaceAll(`/${hidden}`, `/${redacted}`);
  return query === undefined ? shown : `${shown}?${shownQuery(query)}`;
}

function shownQuery(query: string): string {
  return query
    .split("&")
    .map((parameter) => parameter.replace(`=${hidden}`, `=${redacted}`).replace(/^\*/, redacted))
    .join("&");
}

/** By the prefix of the route, longer ones first. */
const kinds = [
  ["/api/receiveraccount", "account"],
  ["/api/receiver", "receiver"],
  ["/api/payout/batch", "batch"],
  ["/api/payout", "payout"],
  ["/api/event", "event"],
] as const;

/** The object in the path or, for a creation, the new object. */
export function objectOf({ route, object_id }: RequestRow): Linked | undefined {
  if (object_id === null || route === "/api/event/recover") return undefined;
  const kind = kinds.find(([start]) => route.startsWith(start))?.[1];
  if (kind === undefined) return undefined;
  return { kind, id: kind === "event" ? eventName(object_id) : object_id };
}
