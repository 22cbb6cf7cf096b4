// The public id of an event, and its statuses. Pure.

import { isTestEventId, isUuid, withoutEventPrefix } from "../base/index.ts";

export const eventStatuses = ["waiting", "delivered", "undelivered", "unsent"] as const;
export type EventStatus = (typeof eventStatuses)[number];

/** The public id: in the signed webhook-id header, in the feed and in the API. */
export function eventName(id: string): string {
  return (isTestEventId(id) ? "evt_test_" : "evt_") + id;
}

/** Reads an id with or without its prefix. Undefined: not an id. */
export function readEventId(text: string): string | undefined {
  const id = withoutEventPrefix(text);
  return isUuid(id) ? id.toLowerCase() : undefined;
}
