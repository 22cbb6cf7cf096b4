// A user closes a receiver account. It can't move money, so no second user is needed.

import {
  type AccountKey,
  type DeletedReceiverAccount,
  deleteAccount,
} from "../../../people/accounts/index.ts";
import { type Actor, audited } from "../../../tenants/audit/index.ts";
import type { WriteParts } from "../write-parts.ts";

export async function closeForUser(
  { db, seal }: WriteParts,
  key: AccountKey,
  actor: Actor,
): Promise<void> {
  await audited({ db, seal }, actor).transaction<DeletedReceiverAccount>(
    ({ receiver_id }) => ({
      action: "account.close",
      object: { kind: "account", id: key.id },
      after: { receiver_id },
    }),
    (tx) => deleteAccount(tx, key),
  );
}
