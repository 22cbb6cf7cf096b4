// Creates receivers from the rows of a file: the key of each row, and its result.

import type { Caller } from "../caller.ts";
import type { Db } from "../db/connect.ts";
import type { KycProvider } from "../kyc-providers/provider.ts";
import {
  createReceivers,
  type ReceiverCreation,
  type ReceiverOutcome,
  toReceiverCreation,
} from "../receivers/create.ts";
import type { NewReceiver } from "../receivers/schema.ts";
import type { Screener } from "../screening/screener.ts";
import type { Seal } from "../seal.ts";
import { type Creator, importKey, type RowResult, rowResultOf } from "./create-rows.ts";

type ReceiverImporter = {
  db: Db;
  provider: KycProvider;
  screener: Screener;
  seal: Seal;
  /** The actor's name in histories. */
  who: string;
};

/** For one pass. `callerFor` gives the caller that a row's key belongs to. */
export function receiversOfRows(
  { db, ...creating }: ReceiverImporter,
  callerFor: (idempotency: NonNullable<Caller["idempotency"]>) => Caller,
): Creator<ReceiverCreation> {
  return {
    batchesAtOnce: 2,
    toCreation: ({ fields }) =>
      toReceiverCreation(callerFor(importKey(fields)), fields as unknown as NewReceiver, creating),
    async create(creations) {
      const outcomes = await createReceivers(db, creations);
      return creations.map((creation, index) =>
        toRowResult(creation, outcomes[index] as ReceiverOutcome),
      );
    },
  };
}

function toRowResult(
  { answer, row: { id } }: ReceiverCreation,
  outcome: ReceiverOutcome,
): RowResult {
  if (outcome === "email-taken") return { outcome: "refused", code: "REVR201" };
  return rowResultOf(outcome, { id, answer }, "receiver_id");
}
