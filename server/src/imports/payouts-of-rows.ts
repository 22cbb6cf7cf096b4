// Makes payouts of the rows of a file: what each is known by, and what became of it.

import type { Caller } from "../caller.ts";
import type { Db } from "../db/connect.ts";
import {
  codeOf,
  createPayouts,
  type PayoutCreation,
  type PayoutOutcome,
  toPayoutCreation,
} from "../payouts/create.ts";
import type { RailDirectory } from "../rails/directory.ts";
import { type Creator, type RowResult, rowResultOf } from "./create-rows.ts";
import { payoutRequestOf, rowKeys } from "./payout-file.ts";

export type Importer = {
  db: Db;
  rails: RailDirectory;
  /** As histories name them. */
  who: string;
  /** By which the payouts of this run are found together. */
  batchId?: string;
  /** What they come to, by currency. */
  batchTotals?: ReadonlyMap<string, bigint>;
};

/** For one pass. `callerFor` gives the caller that a row's key belongs to. */
export function payoutsOfRows(
  { db, rails, who, batchId, batchTotals }: Importer,
  callerFor: (idempotency: NonNullable<Caller["idempotency"]>) => Caller,
): Creator<PayoutCreation> {
  const keyOf = rowKeys();
  return {
    // One after the other: when money runs out, it is for the last rows.
    batchesUnderWay: 1,
    toCreation(row) {
      const wish = payoutRequestOf(row);
      const batchTotal = batchTotals?.get(wish.currency);
      return toPayoutCreation(callerFor(keyOf(wish)), wish, { who, batchId, batchTotal });
    },
    async create(creations) {
      const outcomes = await createPayouts({ db, rails }, creations);
      return creations.map((creation, index) => told(creation, outcomes[index] as PayoutOutcome));
    },
  };
}

function told(creation: PayoutCreation, outcome: PayoutOutcome): RowResult {
  if (typeof outcome === "object" && "refused" in outcome) {
    return { outcome: "refused", code: codeOf(outcome) };
  }
  return rowResultOf(outcome, creation, "payout_id");
}
