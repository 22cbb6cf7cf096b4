// Changes what a person may do, or whether it may do anything. Whatever it was logged in to ends.

import { type Recording, recordAct } from "../audit/record.ts";
import { Refusal } from "../refusals/refusals.ts";
import { lockAdmins, lockUser, updateUser } from "./queries.ts";
import { deleteSessionsOf } from "./session-queries.ts";
import { type Role, requireFittingSubaccounts, type UserActor } from "./user.ts";
import { recordVouch } from "./vouch-queries.ts";

export type UserChange = {
  role?: Role | undefined;
  /** Those of a developer. Undefined: as they are. */
  subaccountIds?: readonly string[] | undefined;
  isDisabled?: boolean | undefined;
};

export async function changeUser(
  recording: Recording,
  id: string,
  change: UserChange,
  { nowMs, ...doer }: UserActor & { nowMs: number },
): Promise<void> {
  const { tx } = recording;
  // Admins first, in the order of their ids: two who take each other's role away come one after the other.
  const admins = await lockAdmins(tx);
  const person = await lockUser(tx, id);
  if (!person) throw new Refusal("CONS110");
  const role = change.role ?? person.role;
  const kept = role === "developer" ? person.subaccountIds : undefined;
  const subaccountIds = change.subaccountIds ?? kept;
  const disabled = change.isDisabled ?? person.disabled;
  requireFittingSubaccounts({ role, subaccountIds });
  const others = admins.filter((admin) => admin !== id);
  const stopsBeingAdmin = admins.includes(id) && (role !== "admin" || disabled);
  if (stopsBeingAdmin && others.length === 0) throw new Refusal("CONS207");
  await updateUser(tx, { id, role, subaccountIds, disabled });
  const gainsSomething = role !== person.role || (person.disabled && !disabled);
  if (gainsSomething) await recordVouch(tx, { personId: id, doer, atMs: nowMs });
  await deleteSessionsOf(tx, id);
  await recordAct(recording, {
    ...doer,
    action: "person.change",
    object: { kind: "person", id },
    subaccountId: subaccountIds?.[0],
    before: {
      role: person.role,
      subaccount_ids: person.subaccountIds,
      disabled: person.disabled,
    },
    after: { role, subaccount_ids: subaccountIds, disabled },
  });
}
