// Turns the filter of a caller into the page to read. Pure.

import { beforeIdOf, firstIdOf } from "../cursor.ts";
import { readLimitOf } from "../db/page.ts";
import type { EventStatus } from "./event.ts";
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
