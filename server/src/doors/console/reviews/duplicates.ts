// Finds possible duplicates of a receiver in its subaccount: by phone, by date of birth and name, by bank account.

import type { LockedReceiver, ReceiverKey } from "../../../people/receivers/index.ts";
import type { Runner } from "../../../platform/db/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import { codedStates, type Duplicate, receiverNameOf } from "../../review-list/index.ts";
import { type LikeRow, listSameAccount, listSameBirth, listSamePhone } from "./case-queries.ts";

export async function findDuplicates(
  { db, seal }: { db: Runner; seal: Seal },
  key: ReceiverKey,
  receiver: LockedReceiver,
): Promise<Duplicate[]> {
  return [
    ...(await listSamePhone({ db, seal }, key, receiver)).map(as("phone")),
    ...(await listSameBirth({ db, seal }, key, receiver)).map(as("birth")),
    ...(await listSameAccount({ db, seal }, key)).map(as("bank_account")),
  ];
}

function as(kind: Duplicate["kind"]) {
  return (row: LikeRow): Duplicate => ({
    kind,
    receiver_id: row.id,
    name: receiverNameOf(row),
    ...codedStates(row),
  });
}
