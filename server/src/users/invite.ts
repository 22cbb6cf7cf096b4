// Invites a user: creates the user, and a link to choose a password.

import type { Actor } from "../audit/actor.ts";
import { audited } from "../audit/audited.ts";
import { type Db, isUniqueViolation } from "../db/connect.ts";
import { newId } from "../ids.ts";
import { Refusal } from "../refusals/refusals.ts";
import type { Seal } from "../seal.ts";
import { recordAccessGrant } from "./access-grant-queries.ts";
import { newInvitationToken } from "./invitation.ts";
import { insertUser } from "./queries.ts";
import { type Role, requireFittingSubaccounts, requireUserEmail } from "./user.ts";

type NewUserRequest = {
  email: string;
  name: string;
  role: Role;
  subaccountIds: readonly string[] | undefined;
};

export async function inviteUser(
  parts: { db: Db; seal: Seal },
  request: NewUserRequest,
  actor: Actor,
  nowMs: number,
): Promise<{ id: string; token: string }> {
  requireUserEmail(request.email);
  requireFittingSubaccounts(request);
  const id = newId();
  const { email, role, subaccountIds } = request;
  const entry = {
    action: "person.invite",
    object: { kind: "person", id },
    subaccountId: subaccountIds?.[0],
    after: { email, role, subaccount_ids: subaccountIds },
  };
  try {
    return await audited(parts, actor).transaction(entry, async (tx) => {
      await insertUser(tx, { id, ...request });
      const token = await newInvitationToken(tx, { userId: id, madeBy: actor.who, nowMs });
      await recordAccessGrant(tx, { userId: id, actor, atMs: nowMs });
      return { id, token };
    });
  } catch (error) {
    if (isUniqueViolation(error, "user_email_taken")) throw new Refusal("CONS205");
    throw error;
  }
}
