// Changes a user's role or disables the user. All their sessions end.

import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { type Actor, audited } from "../audit/index.ts";
import { type Role, requireFittingSubaccounts } from "../roles/index.ts";
import {
  deleteSessionsOf,
  lockAdmins,
  lockUser,
  recordAccessGrant,
  type UserState,
  updateUser,
} from "../user-records/index.ts";

type UserChange = {
  role?: Role | undefined;
  /** The subaccounts of a developer. Undefined: no change. */
  subaccountIds?: readonly string[] | undefined;
  isDisabled?: boolean | undefined;
};

export async function changeUser(
  parts: { db: Db; seal: Seal },
  id: string,
  change: UserChange,
  actor: Actor,
  nowMs: number,
): Promise<void> {
  await audited(parts, actor).transaction<{ before: UserState; after: UserState }>(
    ({ before, after }) => ({
      action: "person.change",
      object: { kind: "person", id },
      subaccountId: after.subaccountIds?.[0],
      before: rightsInAudit(before),
      after: rightsInAudit(after),
    }),
    async (tx) => {
      // Locks the admins in the order of their ids, so that two admins who remove each other's role run one after the
      // other.
      const admins = await lockAdmins(tx);
      const before = await lockUser(tx, id);
      if (!before) throw new Refusal("CONS110");
      const role = change.role ?? before.role;
      const kept = role === "developer" ? before.subaccountIds : undefined;
      const subaccountIds = change.subaccountIds ?? kept;
      const disabled = change.isDisabled ?? before.disabled;
      requireFittingSubaccounts({ role, subaccountIds });
      const others = admins.filter((admin) => admin !== id);
      const stopsBeingAdmin = admins.includes(id) && (role !== "admin" || disabled);
      if (stopsBeingAdmin && others.length === 0) throw new Refusal("CONS207");
      const after = { role, subaccountIds, disabled };
      await updateUser(tx, { id, ...after });
      const gainsSomething = role !== before.role || (before.disabled && !disabled);
      if (gainsSomething) await recordAccessGrant(tx, { userId: id, actor, atMs: nowMs });
      await deleteSessionsOf(tx, id);
      return { before, after };
    },
  );
}

function rightsInAudit({ role, subaccountIds, disabled }: UserState) {
  return { role, subaccount_ids: subaccountIds, disabled };
}
