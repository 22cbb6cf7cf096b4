// Invites a person: the person is there from then on, and may choose a password by the link.

import { type Recording, recordAct } from "../audit/record.ts";
import { isUniqueViolation } from "../db/connect.ts";
import { newId } from "../ids.ts";
import { Refusal } from "../refusals/refusals.ts";
import { newInvitationToken } from "./invitation.ts";
import { insertUser } from "./queries.ts";
import { type Role, requireFittingSubaccounts, requireUserEmail, type UserActor } from "./user.ts";
import { recordVouch } from "./vouch-queries.ts";

export type NewUserRequest = {
  email: string;
  name: string;
  role: Role;
  subaccountIds: readonly string[] | undefined;
};

export async function inviteUser(
  recording: Recording,
  wish: NewUserRequest,
  { nowMs, ...doer }: UserActor & { nowMs: number },
): Promise<{ id: string; token: string }> {
  requireUserEmail(wish.email);
  requireFittingSubaccounts(wish);
  const { tx } = recording;
  const id = newId();
  try {
    await insertUser(tx, { id, ...wish });
  } catch (error) {
    if (isUniqueViolation(error, "user_email_taken")) throw new Refusal("CONS205");
    throw error;
  }
  const token = await newInvitationToken(tx, { personId: id, madeBy: doer.who, nowMs });
  await recordVouch(tx, { personId: id, doer, atMs: nowMs });
  await recordAct(recording, {
    ...doer,
    action: "person.invite",
    object: { kind: "person", id },
    subaccountId: wish.subaccountIds?.[0],
    after: { email: wish.email, role: wish.role, subaccount_ids: wish.subaccountIds },
  });
  return { id, token };
}
