// Turns the filter of a caller or a user into the page of payouts to read. Pure.

import { firstIdOf, newestId, readCursor } from "../cursor.ts";
import { limits } from "../limits.ts";
import type { PayoutPage } from "./list-queries.ts";
import type { PayoutFilter } from "./schema.ts";
import type { PayoutStatus } from "./states.ts";

/** Reads one row more than the page shows: it tells whether there is a next page. */
export function toPayoutPage(subaccountId: string, filter: PayoutFilter): PayoutPage {
  const before = filter.to === undefined ? newestId : firstIdOf(Number(filter.to));
  const cursor = filter.cursor && readCursor(filter.cursor);
  return {
    subaccountId,
    status: filter.status as PayoutStatus | undefined,
    receiverId: filter.receiver_id,
    accountId: filter.receiver_account_id,
    reference: filter.reference,
    batchId: filter.batch_id,
    beforeId: cursor && cursor < before ? cursor : before,
    fromId: firstIdOf(Number(filter.from ?? 0)),
    limit: (filter.limit === undefined ? limits.listDefault : Number(filter.limit)) + 1,
  };
}
