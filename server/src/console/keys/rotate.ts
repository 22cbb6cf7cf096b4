// A user rotates the secret of an API key. The previous secret stays valid for the grace period.

import { replaceSecret } from "../../api-keys/rotate.ts";
import { audited } from "../../audit/audited.ts";
import { Refusal } from "../../refusals/refusals.ts";
import type { SubaccountAccess } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import { lockKeyToChange, requireMayChangeKey } from "./lock.ts";
import type { LockedConsoleKey } from "./queries.ts";
import type { IssuedSecret } from "./schema.ts";

type Rotated = { locked: LockedConsoleKey; secret: string };

export async function rotateConsoleKey(
  { db, seal }: WriteParts,
  access: SubaccountAccess,
  { key, graceMs }: { key: string; graceMs: number },
): Promise<IssuedSecret> {
  const { actor, subaccount } = access;
  const { locked, secret } = await audited({ db, seal }, actor).transaction<Rotated>(
    ({ locked: { name } }) => ({
      action: "key.rotate",
      object: { kind: "api_key", id: key },
      after: { name, grace_seconds: graceMs / 1000 },
    }),
    async (tx) => {
      const locked = await lockKeyToChange(tx, access, key);
      if (locked.is_revoked) throw new Refusal("CONS705");
      requireMayChangeKey(access, subaccount.mode, locked.scopes);
      const rotation = { key, graceMs, seenBy: actor.who };
      return { locked, secret: await replaceSecret(tx, seal, rotation) };
    },
  );
  return { key, secret, awaits_approval: locked.awaiting_approval };
}
