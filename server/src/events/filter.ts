// From what a caller filters by to the page of events that is asked for. Pure.

import { firstIdOf, newestId, readCursor } from "../cursor.ts";
import { limits } from "../limits.ts";
import type { EventStatus } from "./event.ts";
import type { EventPage } from "./list-queries.ts";
import type { EventFilter } from "./schema.ts";

/** One record more than the page has tells whether there is a next one. */
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
