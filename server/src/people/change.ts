// Changes what a person may do, or whether it may do anything. Whatever it was logged in to ends.

import { type Recording, recordAct } from "../audit/record.ts";
import { Refusal } from "../refusals.ts";
import { type Doer, demandFittingSubaccount, type Role } from "./person.ts";
import { lockAdmins, lockPerson, updatePerson } from "./queries.ts";
import { deleteSessionsOf } from "./session-queries.ts";

export type PersonChange = {
  role?: Role | undefined;
  /** Null: none any more. */
  subaccountId?: string | null | undefined;
  isDisabled?: boolean | undefined;
};

export async function changePerson(
  recording: Recording,
  id: string,
  change: PersonChange,
  doer: Doer,
): Promise<void> {
  const { tx } = recording;
  // Admins first, in the order of their ids: two who take each other's role away come one after the other.
  const admins = await lockAdmins(tx);
  const person = await lockPerson(tx, id);
  if (!person) throw new Refusal("CONS110");
  const before = {
    role: person.role,
    subaccountId: person.subaccountId,
    disabled: person.disabled,
  };
  const role = change.role ?? person.role;
  const kept = role === "developer" ? person.subaccountId : undefined;
  const subaccountId =
    change.subaccountId === undefined ? kept : (change.subaccountId ?? undefined);
  const disabled = change.isDisabled ?? person.disabled;
  demandFittingSubaccount({ role, subaccountId });
  const others = admins.filter((admin) => admin !== id);
  const stopsBeingAdmin = admins.includes(id) && (role !== "admin" || disabled);
  if (stopsBeingAdmin && others.length === 0) throw new Refusal("CONS207");
  await updatePerson(tx, { id, role, subaccountId, disabled });
  await deleteSessionsOf(tx, id);
  await recordAct(recording, {
    ...doer,
    action: "person.change",
    object: { kind: "person", id },
    subaccountId,
    before: { role: before.role, subaccount_id: before.subaccountId, disabled: before.disabled },
    after: { role, subaccount_id: subaccountId, disabled },
  });
}
