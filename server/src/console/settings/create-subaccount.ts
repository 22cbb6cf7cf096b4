// A user creates a subaccount with its first key. The key of a live subaccount waits for a second user.

import { usualScopes } from "../../api-keys/api-key.ts";
import type { Actor } from "../../audit/actor.ts";
import { audited } from "../../audit/audited.ts";
import type { Mode } from "../../caller.ts";
import { addSubaccount } from "../../subaccounts/create.ts";
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
