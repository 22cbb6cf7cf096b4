// A user creates a subaccount with its first key. The key of a live subaccount waits for a second user.

import type { Mode } from "../../../platform/base/index.ts";
import { usualScopes } from "../../../tenants/api-keys/index.ts";
import { type Actor, audited } from "../../../tenants/audit/index.ts";
import { addSubaccount } from "../../../tenants/subaccounts/index.ts";
import { askForActivation } from "../keys/activation.ts";
import type { WriteParts } from "../write-parts.ts";
import type { MadeSubaccount } from "./schema.ts";

export function createConsoleSubaccount(
  { db, seal }: WriteParts,
  actor: Actor,
  { name, mode }: { name: string; mode: Mode },
): Promise<MadeSubaccount> {
  const { who } = actor;
  const firstKey = { name: "first", scopes: usualScopes };
  return audited({ db, seal }, actor).transaction<MadeSubaccount>(
    ({ id, key }) => [
      {
        action: "subaccount.create",
        object: { kind: "subaccount", id },
        subaccountId: id,
        after: { name, mode },
      },
      {
        action: "key.create",
        object: { kind: "api_key", id: key },
        subaccountId: id,
        after: firstKey,
      },
    ],
    async (tx) => {
      // As every key with the scope payout that is created in the console.
      const awaitsApproval = mode === "live";
      const request = { name, mode, seenBy: who, awaitsApproval };
      const { subaccountId: id, key, secret } = await addSubaccount(tx, seal, request);
      if (awaitsApproval) {
        await askForActivation(tx, "key", { subaccountId: id, key, fields: firstKey, madeBy: who });
      }
      return { id, name, mode, key, secret, awaits_approval: awaitsApproval };
    },
  );
}
