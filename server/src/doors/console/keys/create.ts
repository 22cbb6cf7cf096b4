// A user creates an API key. One that may pay out waits for a second user where activation asks for it.

import type { Scope } from "../../../platform/base/index.ts";
import { problem, Refusal } from "../../../platform/refusals/index.ts";
import { addKey, updateKeysVersion } from "../../../tenants/api-keys/index.ts";
import { audited } from "../../../tenants/audit/index.ts";
import type { SubaccountAccess } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import { askForActivation, waitsForActivation } from "./activation.ts";
import { requireMayChangeKey } from "./lock.ts";
import type { IssuedSecret, NewKeyRequest } from "./schema.ts";

export function createConsoleKey(
  { db, seal, clock }: WriteParts,
  access: SubaccountAccess,
  body: NewKeyRequest,
): Promise<IssuedSecret> {
  const { actor } = access;
  const { id: subaccountId, mode } = access.subaccount;
  const { name, addresses = [], version2_only = false, expires_at } = body;
  if (expires_at !== undefined && expires_at <= clock()) {
    throw new Refusal([problem("CONS707", "expires_at")]);
  }
  const scopes = body.scopes as Scope[];
  requireMayChangeKey(access, mode, scopes);
  const fields = { name, scopes, addresses, version2_only, expires_at };
  return audited({ db, seal }, actor).transaction<IssuedSecret>(
    ({ key }) => ({ action: "key.create", object: { kind: "api_key", id: key }, after: fields }),
    async (tx) => {
      const awaitsApproval = await waitsForActivation(tx, { subaccountId, mode, scopes });
      const { key, secret } = await addKey(tx, seal, {
        subaccountId,
        mode,
        name,
        scopes,
        addresses,
        expiresAt: expires_at === undefined ? undefined : new Date(expires_at),
        version2Only: version2_only,
        seenBy: actor.who,
        awaitsApproval,
      });
      await updateKeysVersion(tx);
      if (awaitsApproval) {
        await askForActivation(tx, "key", { subaccountId, key, fields, madeBy: actor.who });
      }
      return { key, secret, awaits_approval: awaitsApproval };
    },
  );
}
