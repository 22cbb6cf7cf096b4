// Another admin confirms a user: from then on the user no longer counts as the admins who granted the access.

import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { type Actor, audited } from "../audit/index.ts";
import { requireOtherUser } from "../four-eyes/index.ts";
import {
  hasOpenInvitation,
  lockUnconfirmedGrants,
  lockUser,
  updateGrantsConfirmed,
} from "../user-records/index.ts";

/**
 * The confirming admin must not be one of those who granted the access, nor be connected to them or to the user by
 * other grants. A command may confirm any user. A user whose link is open can't be confirmed: the person who uses it later is
 * the user.
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
      if (await hasOpenInvitation(tx, { userId: user.id, nowMs: atMs })) {
        throw new Refusal("CONS417");
      }
      await updateGrantsConfirmed(tx, { userId: user.id, who: actor.who, atMs });
      return grantedBy;
    },
  );
}
