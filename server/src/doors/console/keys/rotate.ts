// A user rotates the secret of an API key. The previous secret stays valid for the grace period. Where a new key would
// wait for a second user, the new secret waits, and the previous one stays valid until then.

import { Refusal } from "../../../platform/refusals/index.ts";
import { addWaitingSecret, replaceSecret } from "../../../tenants/api-keys/index.ts";
import { audited } from "../../../tenants/audit/index.ts";
import { withdrawChangeRequests } from "../../../tenants/four-eyes/index.ts";
import type { SubaccountAccess } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import { askForActivation, waitsForActivation } from "./activation.ts";
import { lockKeyToChange, requireMayChangeKey } from "./lock.ts";
import type { LockedConsoleKey } from "./queries.ts";
import type { IssuedSecret } from "./schema.ts";

type Rotated = { locked: LockedConsoleKey; secret: string; awaitsApproval: boolean };

export async function rotateConsoleKey(
  { db, seal, clock }: WriteParts,
  access: SubaccountAccess,
  { key, graceMs }: { key: string; graceMs: number },
): Promise<IssuedSecret> {
  const { actor, subaccount } = access;
  const { secret, awaitsApproval } = await audited({ db, seal }, actor).transaction<Rotated>(
    ({ locked: { name }, awaitsApproval }) => ({
      action: "key.rotate",
      object: { kind: "api_key", id: key },
      after: { name, grace_seconds: graceMs / 1000, awaits_approval: awaitsApproval },
    }),
    async (tx) => {
      const locked = await lockKeyToChange(tx, access, key);
      if (locked.is_revoked) throw new Refusal("CONS705");
      requireMayChangeKey(access, subaccount.mode, locked.scopes);
      const { id: subaccountId, mode } = subaccount;
      const { name, scopes, awaiting_approval: isKeyWaiting } = locked;
      const { who } = actor;
      const waits = { subaccountId, kind: "rotation", objectId: key } as const;
      await withdrawChangeRequests(tx, waits, { who, atMs: clock() });
      // A key that waits itself works with its newest secret once it is approved.
      const isAlone =
        isKeyWaiting || !(await waitsForActivation(tx, { subaccountId, mode, scopes }));
      if (isAlone) {
        const secret = await replaceSecret(tx, seal, { key, graceMs, seenBy: who });
        return { locked, secret, awaitsApproval: isKeyWaiting };
      }
      const secret = await addWaitingSecret(tx, seal, { key, seenBy: who });
      const fields = { name, scopes, grace_seconds: graceMs / 1000 };
      await askForActivation(tx, "rotation", { subaccountId, key, fields, madeBy: who });
      return { locked, secret, awaitsApproval: true };
    },
  );
  return { key, secret, awaits_approval: awaitsApproval };
}
