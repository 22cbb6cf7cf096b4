// Another admin confirms a user: from then on the user no longer counts as the admins who granted the access.

import type { Actor } from "../audit/actor.ts";
import { audited } from "../audit/audited.ts";
import type { Db } from "../db/connect.ts";
import { Refusal } from "../refusals/refusals.ts";
import type { Seal } from "../seal.ts";
import { lockUnconfirmedGrants, updateGrantsConfirmed } from "./access-grant-queries.ts";
import { requireOtherUser } from "./four-eyes.ts";
import { lockUser } from "./queries.ts";

/**
 * The confirming admin must not be one of those who granted the access, nor be connected to them or to the user by
 * other grants. A command may confirm any user.
 */
export async function confirmUser(
  parts: { db: Db; seal: Seal },
  user: { id: string; who: string },
  actor: Actor,
  atMs: number,
): Promise<void> {
  await audited(parts, actor).transaction<string[]>(
    (grantedBy) => ({
      action: "person.confirm",
      object: { kind: "person", id: user.id },
      after: { granted_by: grantedBy },
    }),
    async (tx) => {
      // Grants and confirmations of a user run one after the other.
      if (!(await lockUser(tx, user.id))) throw new Refusal("CONS110");
      const grantedBy = await lockUnconfirmedGrants(tx, user.id);
      if (grantedBy.length === 0) throw new Refusal("CONS414");
      if (actor.kind !== "command") {
        await requireOtherUser(tx, [user.who, ...grantedBy], { who: actor.who });
      }
      await updateGrantsConfirmed(tx, { userId: user.id, who: actor.who, atMs });
      return grantedBy;
    },
  );
}
