// Resets how a user signs in: deletes password and passkeys, ends all sessions, and makes a link for a new password.

import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { type Actor, audited } from "../audit/index.ts";
import {
  deleteCredentials,
  deleteSessionsOf,
  lockUser,
  recordAccessGrant,
  type UserState,
} from "../user-records/index.ts";
import { newInvitationToken } from "./invitation.ts";

export async function resetUser(
  parts: { db: Db; seal: Seal },
  id: string,
  actor: Actor,
  nowMs: number,
): Promise<string> {
  const { token } = await audited(parts, actor).transaction<{ user: UserState; token: string }>(
    ({ user }) => ({
      action: "person.reset",
      object: { kind: "person", id },
      subaccountId: user.subaccountIds?.[0],
    }),
    async (tx) => {
      const user = await lockUser(tx, id);
      if (!user) throw new Refusal("CONS110");
      await deleteCredentials(tx, id);
      await deleteSessionsOf(tx, id);
      const token = await newInvitationToken(tx, { userId: id, madeBy: actor.who, nowMs });
      await recordAccessGrant(tx, { userId: id, actor, atMs: nowMs });
      return { user, token };
    },
  );
  return token;
}
