// Changes a user's role or disables the user. All their sessions end.

import Type from "typebox";
import { idField, input, optional } from "../../platform/fields/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { act } from "../acts/index.ts";
import { revokeTokensOf } from "../operator-tokens/index.ts";
import { requireFittingSubaccounts } from "../roles/index.ts";
import {
  deleteSessionsOf,
  lockAdmins,
  lockUser,
  recordAccessGrant,
  type UserState,
  updateUser,
} from "../user-records/index.ts";
import { existingSubaccounts, ofOtherUsers, requireOther, twoAdmins } from "./other-user.ts";
import { AssignedSubaccounts, RoleName, SubaccountId } from "./schema.ts";

export const changeUser = act({
  ...ofOtherUsers,
  name: "person.change",
  summary: "change the role or the subaccounts of a user, or disable the user; their sessions end",
  twoPeople: twoAdmins,
  input: input({
    id: idField("CONS110"),
    role: optional(RoleName),
    subaccount_id: optional(Type.Union([SubaccountId, Type.Null()])),
    subaccount_ids: optional(AssignedSubaccounts),
    disabled: optional(Type.Boolean()),
  }),
  async run(doing, { id, ...change }) {
    const { tx, actor, atMs } = doing;
    requireOther(doing, id);
    const given = await existingSubaccounts(tx, change);
    // Locks the admins in the order of their ids, so that two admins who remove each other's role run one after the
    // other.
    const admins = await lockAdmins(tx);
    const before = await lockUser(tx, id);
    if (!before) throw new Refusal("CONS110");
    const role = change.role ?? before.role;
    const kept = role === "developer" ? before.subaccountIds : undefined;
    const subaccountIds = given ?? kept;
    const disabled = change.disabled ?? before.disabled;
    requireFittingSubaccounts({ role, subaccountIds });
    const others = admins.filter((admin) => admin !== id);
    const stopsBeingAdmin = admins.includes(id) && (role !== "admin" || disabled);
    if (stopsBeingAdmin && others.length === 0) throw new Refusal("CONS207");
    const after = { role, subaccountIds, disabled };
    await updateUser(tx, { id, ...after });
    const gainsSomething = role !== before.role || (before.disabled && !disabled);
    if (gainsSomething) await recordAccessGrant(tx, { userId: id, actor, atMs });
    const ended = stopsBeingAdmin ? await revokeTokensOf(tx, id, atMs) : 0;
    await deleteSessionsOf(tx, id);
    return {
      result: { id },
      id,
      subaccountId: subaccountIds?.[0],
      before: rightsInAudit(before),
      after: { ...rightsInAudit(after), ...(ended > 0 && { operator_tokens_revoked: ended }) },
    };
  },
});

function rightsInAudit({ role, subaccountIds, disabled }: UserState) {
  return { role, subaccount_ids: subaccountIds, disabled };
}
