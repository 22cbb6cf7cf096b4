// What an event is called, and where it can stand. Pure.

import { isUuid } from "../ids.ts";

export const eventStatuses = ["waiting", "delivered", "undelivered", "unsent"] as const;
export type EventStatus = (typeof eventStatuses)[number];

const prefix = "evt_";

/** As callers know it: in the webhook-id header, in the feed, and here. */
export function eventName(id: string): string {
  return prefix + id;
}

/** The id of an event that is named with or without its prefix; undefined where it is no id. */
export function readEventId(text: string): string | undefined {
  const id = text.startsWith(prefix) ? text.slice(prefix.length) : text;
  return isUuid(id) ? id.toLowerCase() : undefined;
}
