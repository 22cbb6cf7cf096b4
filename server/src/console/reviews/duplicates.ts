// Finds possible duplicates of a receiver in its subaccount: by phone, by date of birth and name, by bank account.

import type { Runner } from "../../db/connect.ts";
import type { ReceiverKey } from "../../receivers/queries.ts";
import type { LockedReceiver } from "../../receivers/state-queries.ts";
import type { Seal } from "../../seal.ts";
import { codedStates, receiverNameOf } from "../receivers/present.ts";
import { type LikeRow, listSameAccount, listSameBirth, listSamePhone } from "./case-queries.ts";
import type { Duplicate } from "./schema.ts";

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
