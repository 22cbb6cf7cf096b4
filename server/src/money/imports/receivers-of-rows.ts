// Creates receivers from the rows of a file: the key of each row, and its result.

import type { KycProvider } from "../../people/kyc-providers/index.ts";
import {
  createReceivers,
  type NewReceiver,
  type ReceiverCreation,
  type ReceiverOutcome,
  toReceiverCreation,
} from "../../people/receivers/index.ts";
import type { Screener } from "../../people/screening/index.ts";
import { type Caller, newId } from "../../platform/base/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { type Creator, importKey, type RowResult, rowResultOf } from "./create-rows.ts";

type ReceiverImporter = {
  db: Db;
  provider: KycProvider;
  screener: Screener;
  seal: Seal;
  caller: Caller;
};

/** For one pass. Each row needs its own request id, which identifies it within the batch. */
export function receiversOfRows({
  db,
  caller,
  ...creating
}: ReceiverImporter): Creator<ReceiverCreation> {
  return {
    batchesAtOnce: 2,
    toCreation: ({ fields }) => {
      const ofRow = { ...caller, requestId: newId(), idempotency: importKey(fields) };
      return toReceiverCreation(ofRow, fields as unknown as NewReceiver, creating);
    },
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
