// Turns the filter of a caller or a user into the page of payouts to read. Pure.

import { beforeIdOf, firstIdOf } from "../../platform/base/index.ts";
import { readLimitOf } from "../../platform/db/index.ts";
import type { PayoutPage } from "./list-queries.ts";
import type { PayoutFilter } from "./schema.ts";
import type { PayoutStatus } from "./states.ts";

export function toPayoutPage(subaccountId: string, filter: PayoutFilter): PayoutPage {
  return {
    subaccountId,
    status: filter.status as PayoutStatus | undefined,
    receiverId: filter.receiver_id,
    accountId: filter.receiver_account_id,
    reference: filter.reference,
    batchId: filter.batch_id,
    metadata: filter.metadata,
    beforeId: beforeIdOf(filter),
    fromId: firstIdOf(Number(filter.from ?? 0)),
    limit: readLimitOf(filter),
  };
}
