// Invites a user: creates the user, and a link to choose a password.

import { newId } from "../../platform/base/index.ts";
import { type Db, isUniqueViolation } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { type Actor, audited } from "../audit/index.ts";
import { type Role, requireFittingSubaccounts, requireUserEmail } from "../roles/index.ts";
import { insertUser, recordAccessGrant } from "../user-records/index.ts";
import { newInvitationToken } from "./invitation.ts";

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
