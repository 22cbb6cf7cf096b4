// Turns the filter of a caller into the page to read. Pure.

import { firstIdOf, newestId, readCursor } from "../cursor.ts";
import { limits } from "../limits.ts";
import type { EventStatus } from "./event.ts";
import type { EventPage } from "./list-queries.ts";
import type { EventFilter } from "./schema.ts";

/** Reads one record more than the page shows, which tells whether there is a next page. */
export function toEventPage(subaccountId: string, filter: EventFilter): EventPage {
  const before = filter.to === undefined ? newestId : firstIdOf(Number(filter.to));
  const cursor = filter.cursor && readCursor(filter.cursor);
  return {
    subaccountId,
    type: filter.type,
    status: filter.status as EventStatus | undefined,
    payoutId: filter.payout_id,
    receiverId: filter.receiver_id,
    beforeId: cursor && cursor < before ? cursor : before,
    fromId: firstIdOf(Number(filter.from ?? 0)),
    limit: (filter.limit === undefined ? limits.listDefault : Number(filter.limit)) + 1,
  };
}
