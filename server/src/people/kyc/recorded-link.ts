// A user gets a link for the person. The audit entry is committed before it is shown, and does not contain it.

import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { type Actor, recordAct } from "../../tenants/audit/index.ts";
import type { PersonLink } from "../kyc-providers/index.ts";
import type { ReceiverKey } from "../receivers/index.ts";
import type { MakePersonLink } from "./person-link.ts";

export async function createPersonLink(
  { db, seal, makePersonLink }: { db: Db; seal: Seal; makePersonLink: MakePersonLink },
  key: ReceiverKey,
  actor: Actor,
): Promise<PersonLink> {
  const link = await makePersonLink(key);
  await db.transaction((tx) =>
    recordAct({ tx, seal }, actor, {
      action: "receiver.kyc_link",
      object: { kind: "receiver", id: key.id },
      after: { expires_at: link.expiresAtMs },
    }),
  );
  return link;
}
