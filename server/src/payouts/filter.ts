// From what a caller or an operator filters by to the page of payouts that is asked for. Pure.

import { firstIdOf, newestId, readCursor } from "../cursor.ts";
import { limits } from "../limits.ts";
import type { PayoutPage } from "./list-queries.ts";
import type { PayoutFilter } from "./schema.ts";
import type { PayoutStatus } from "./states.ts";

/** One record more than the page has tells whether there is a next one. */
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
