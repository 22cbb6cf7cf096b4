// Invites a user: creates the user, and a link to choose a password.

import Type from "typebox";
import { newId } from "../../platform/base/index.ts";
import { isUniqueViolation } from "../../platform/db/index.ts";
import { emailCharsMax } from "../../platform/emails/index.ts";
import { input, optional, required } from "../../platform/fields/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { act } from "../acts/index.ts";
import { requireFittingSubaccounts, requireUserEmail } from "../roles/index.ts";
import { insertUser, recordAccessGrant } from "../user-records/index.ts";
import { newInvitationLink } from "./invitation.ts";
import { existingSubaccounts, ofOtherUsers, twoAdmins } from "./other-user.ts";
import { AssignedSubaccounts, RoleName, SubaccountId, UserName } from "./schema.ts";

export const inviteUser = act({
  ...ofOtherUsers,
  name: "person.invite",
  tokens: "logins",
  summary: "invite a user: prints the link with which they choose a password",
  twoPeople: twoAdmins,
  input: input({
    email: required(
      Type.String({ minLength: 3, maxLength: emailCharsMax, description: "email of the user" }),
    ),
    name: optional(UserName),
    role: required({ ...RoleName, description: "role of the user" }),
    subaccount_id: optional(SubaccountId),
    subaccount_ids: optional(AssignedSubaccounts),
  }),
  async run({ tx, actor, atMs }, { email, name = email, role, ...given }) {
    const subaccountIds = await existingSubaccounts(tx, given);
    requireUserEmail(email);
    requireFittingSubaccounts({ role, subaccountIds });
    const id = newId();
    try {
      await insertUser(tx, { id, email, name, role, subaccountIds });
    } catch (error) {
      throw isUniqueViolation(error, "user_email_taken") ? new Refusal("CONS205") : error;
    }
    const result = await newInvitationLink(tx, { userId: id, madeBy: actor.who, nowMs: atMs });
    await recordAccessGrant(tx, { userId: id, actor, atMs });
    return {
      result,
      id,
      subaccountId: subaccountIds?.[0],
      after: { email, role, subaccount_ids: subaccountIds },
    };
  },
});
