// Resets how a user signs in: deletes password and passkeys, ends all sessions, and makes a link for a new password.

import type { Actor } from "../audit/actor.ts";
import { audited } from "../audit/audited.ts";
import type { Db } from "../db/connect.ts";
import { Refusal } from "../refusals/refusals.ts";
import type { Seal } from "../seal.ts";
import { recordAccessGrant } from "./access-grant-queries.ts";
import { newInvitationToken } from "./invitation.ts";
import { deleteCredentials, lockUser, type UserState } from "./queries.ts";
import { deleteSessionsOf } from "./session-queries.ts";

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
