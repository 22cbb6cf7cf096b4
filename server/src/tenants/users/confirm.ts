// Another admin confirms a user: from then on the user no longer counts as the admins who granted the access.

import { idField, input } from "../../platform/fields/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { act } from "../acts/index.ts";
import { userActorName } from "../audit/index.ts";
import { requireOtherUser } from "../four-eyes/index.ts";
import {
  hasOpenInvitation,
  lockUnconfirmedGrants,
  lockUser,
  updateGrantsConfirmed,
} from "../user-records/index.ts";
import { ofOtherUsers, requireOther, twoAdmins } from "./other-user.ts";

/**
 * The confirming admin must not be one of those who granted the access, nor be connected to them or to the user by
 * other grants. A command may confirm any user. A user whose link is open can't be confirmed: the person who uses it later is
 * the user.
 */
export const confirmUser = act({
  ...ofOtherUsers,
  name: "person.confirm",
  tokens: "logins",
  summary: "confirm a user whom one admin let in, where no other admin can do it at the console",
  twoPeople: twoAdmins,
  input: input({ id: idField("CONS110") }),
  async run(doing, { id }) {
    const { tx, actor, who, atMs } = doing;
    requireOther(doing, id);
    // Grants and confirmations of a user run one after the other.
    const user = await lockUser(tx, id);
    if (!user) throw new Refusal("CONS110");
    const grantedBy = await lockUnconfirmedGrants(tx, id);
    if (grantedBy.length === 0) throw new Refusal("CONS414");
    if (actor.kind !== "command") {
      await requireOtherUser(tx, [userActorName(user), ...grantedBy], { who });
    }
    if (await hasOpenInvitation(tx, { userId: id, nowMs: atMs })) throw new Refusal("CONS417");
    await updateGrantsConfirmed(tx, { userId: id, who, atMs });
    return { result: { id }, id, after: { granted_by: grantedBy } };
  },
});
