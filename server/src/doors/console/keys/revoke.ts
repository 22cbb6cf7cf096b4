// A user revokes an API key. Requests to activate it or its rotated secret are withdrawn.

import { endKey } from "../../../tenants/api-keys/index.ts";
import { audited } from "../../../tenants/audit/index.ts";
import { withdrawChangeRequests } from "../../../tenants/four-eyes/index.ts";
import type { SubaccountAccess } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import { lockKeyToChange, requireMayChangeKey } from "./lock.ts";
import type { LockedConsoleKey } from "./queries.ts";

export async function revokeConsoleKey(
  { db, seal, clock }: WriteParts,
  access: SubaccountAccess,
  key: string,
): Promise<void> {
  const { actor, subaccount } = access;
  await audited({ db, seal }, actor).transaction<LockedConsoleKey>(
    ({ name }) => ({
      action: "key.revoke",
      object: { kind: "api_key", id: key },
      after: { name },
    }),
    async (tx) => {
      const locked = await lockKeyToChange(tx, access, key);
      requireMayChangeKey(access, subaccount.mode, locked.scopes);
      await endKey(tx, key);
      for (const kind of ["key", "rotation"] as const) {
        const about = { subaccountId: subaccount.id, kind, objectId: key };
        await withdrawChangeRequests(tx, about, { who: actor.who, atMs: clock() });
      }
      return locked;
    },
  );
}
