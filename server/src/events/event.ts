// What an event is called, and where it can stand. Pure.

import { isTestEventId, isUuid, withoutEventPrefix } from "../ids.ts";

export const eventStatuses = ["waiting", "delivered", "undelivered", "unsent"] as const;
export type EventStatus = (typeof eventStatuses)[number];

/** As callers know it: in the webhook-id header, which is signed, in the feed, and here. */
export function eventName(id: string): string {
  return (isTestEventId(id) ? "evt_test_" : "evt_") + id;
}

/** The id of an event that is named with or without its prefix; undefined where it is no id. */
export function readEventId(text: string): string | undefined {
  const id = withoutEventPrefix(text);
  return isUuid(id) ? id.toLowerCase() : undefined;
}
