// Shows a user the whole number of a bank account. The audit entry is committed before it is shown.

import type { ReceiverKey } from "../../../people/receivers/index.ts";
import { isUuid } from "../../../platform/base/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { type Actor, recordAct } from "../../../tenants/audit/index.ts";
import type { WriteParts } from "../write-parts.ts";
import { findNumber } from "./account-queries.ts";

export async function revealNumber(
  { db, seal }: WriteParts,
  key: ReceiverKey,
  version: number | undefined,
  actor: Actor,
): Promise<string> {
  if (!isUuid(key.id)) throw new Refusal("CONS110");
  return db.transaction(async (tx) => {
    const found = await findNumber({ tx, seal }, key, version);
    if (!found) throw new Refusal("CONS110");
    await recordAct({ tx, seal }, actor, {
      action: "account.reveal",
      object: { kind: "account", id: key.id },
      after: { version: found.version },
    });
    return found.accountNumber;
  });
}
