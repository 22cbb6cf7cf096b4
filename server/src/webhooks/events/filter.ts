// Turns the filter of a caller into the page to read. Pure.

import { beforeIdOf, firstIdOf, idAfter, readCursor } from "../../platform/base/index.ts";
import { readLimitOf } from "../../platform/db/index.ts";
import type { EventStatus } from "../../platform/event-catalogue/index.ts";
import type { EventPage } from "./list-queries.ts";
import type { EventFilter } from "./schema.ts";

export function toEventPage(subaccountId: string, filter: EventFilter): EventPage {
  return {
    subaccountId,
    type: filter.type,
    status: filter.status as EventStatus | undefined,
    payoutId: filter.payout_id,
    receiverId: filter.receiver_id,
    beforeId: beforeIdOf(filter),
    fromId: firstIdOf(Number(filter.from ?? 0)),
    limit: readLimitOf(filter),
  };
}

/** The oldest first, for the console. */
export function toOldestEventPage(subaccountId: string, filter: EventFilter): EventPage {
  const { cursor, ...others } = filter;
  const page = toEventPage(subaccountId, others);
  const after = cursor && readCursor(cursor);
  const nextId = after ? idAfter(after) : page.fromId;
  const fromId = nextId > page.fromId ? nextId : page.fromId;
  return { ...page, fromId, isOldestFirst: true };
}
