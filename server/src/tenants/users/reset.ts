// Resets how a user signs in: deletes password and passkeys, ends all sessions, and makes a link for a new password.

import { idField, input } from "../../platform/fields/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { act } from "../acts/index.ts";
import {
  deleteCredentials,
  deleteSessionsOf,
  lockUser,
  recordAccessGrant,
} from "../user-records/index.ts";
import { newInvitationLink } from "./invitation.ts";
import { ofOtherUsers, requireOther, twoAdmins } from "./other-user.ts";

export const resetUser = act({
  ...ofOtherUsers,
  name: "person.reset",
  tokens: "logins",
  summary: "reset sessions, password and passkeys; prints a link for a new password",
  twoPeople: twoAdmins,
  input: input({ id: idField("CONS110") }),
  async run(doing, { id }) {
    const { tx, actor, atMs } = doing;
    requireOther(doing, id);
    const user = await lockUser(tx, id);
    if (!user) throw new Refusal("CONS110");
    await deleteCredentials(tx, id);
    await deleteSessionsOf(tx, id);
    const result = await newInvitationLink(tx, { userId: id, madeBy: actor.who, nowMs: atMs });
    await recordAccessGrant(tx, { userId: id, actor, atMs });
    return { result, id, subaccountId: user.subaccountIds?.[0] };
  },
});
