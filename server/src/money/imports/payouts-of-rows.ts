// Creates payouts from the rows of a file: the key of each row, and its result.

import { type Caller, newId } from "../../platform/base/index.ts";
import type { Db } from "../../platform/db/index.ts";
import {
  codeOf,
  createPayoutsIn,
  type PayoutCreation,
  type PayoutOutcome,
  toPayoutCreation,
} from "../payouts/index.ts";
import type { RailDirectory } from "../rails/index.ts";
import { type Creator, type RowResult, rowResultOf } from "./create-rows.ts";
import { payoutRequestOf, rowKeys } from "./payout-file.ts";
import { deletePaidRows, listWaitingOfReceivers } from "./waiting-rows.ts";

type Importer = {
  db: Db;
  rails: RailDirectory;
  caller: Caller;
  /** The payout batch of this run. */
  batchId?: string | undefined;
  /** Its totals, by currency. */
  batchTotals?: ReadonlyMap<string, bigint>;
};

/** For one pass. Each row needs its own request id, which identifies it within the batch. */
export function payoutsOfRows({
  db,
  rails,
  caller,
  batchId,
  batchTotals,
}: Importer): Creator<PayoutCreation> {
  const { keyOf } = rowKeys();
  return {
    // One batch after the other: when funds run out, the last rows are refused.
    batchesAtOnce: 1,
    toCreation(row) {
      const request = payoutRequestOf(row);
      const batchTotal = batchTotals?.get(request.currency);
      const ofRow = { ...caller, requestId: newId(), idempotency: row.key ?? keyOf(request) };
      return toPayoutCreation(ofRow, request, { batchId, batchTotal });
    },
    async create(creations) {
      const waiting = await listWaitingOfReceivers(db, caller.subaccountId, creations);
      const outcomes = await db.transaction(async (tx) => {
        const outcomes = await createPayoutsIn(tx, rails, creations);
        const paid = creations.filter((_, index) => isPaid(outcomes[index] as PayoutOutcome));
        await deletePaidRows(tx, waiting, paid);
        return outcomes;
      });
      return creations.map((creation, index) =>
        toRowResult(creation, outcomes[index] as PayoutOutcome),
      );
    },
  };
}

const isPaid = (outcome: PayoutOutcome) => typeof outcome === "object" && !("refused" in outcome);

function toRowResult(creation: PayoutCreation, outcome: PayoutOutcome): RowResult {
  if (typeof outcome === "object" && "refused" in outcome) {
    return { outcome: "refused", code: codeOf(outcome) };
  }
  return rowResultOf(outcome, creation, "payout_id");
}
