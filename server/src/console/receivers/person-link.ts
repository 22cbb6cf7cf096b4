// A user gets a link for the person. The audit entry is committed before it is shown, and does not contain it.

import type { Actor } from "../../audit/actor.ts";
import { recordAct } from "../../audit/record.ts";
import type { Db } from "../../db/connect.ts";
import type { MakePersonLink } from "../../kyc/person-link.ts";
import type { PersonLink } from "../../kyc-providers/provider.ts";
import type { ReceiverKey } from "../../receivers/queries.ts";
import type { Seal } from "../../seal.ts";

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
