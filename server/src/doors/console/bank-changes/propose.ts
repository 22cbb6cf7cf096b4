// A user proposes a new bank account of a receiver, or a change of one. A second user decides.

import {
  type NewReceiverAccount,
  type Proposed,
  proposalEntry,
  proposeAccount,
  proposeChange,
  type ReceiverAccountChange,
} from "../../../people/accounts/index.ts";
import type { GivenFields } from "../../../platform/fields/index.ts";
import { audited } from "../../../tenants/audit/index.ts";
import type { SubaccountAccess } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";

export function proposeNewAccount(
  { db, seal }: WriteParts,
  { actor, subaccount }: SubaccountAccess,
  given: GivenFields<NewReceiverAccount>,
): Promise<Proposed> {
  return audited({ db, seal }, actor).transaction(proposalEntry, (tx) =>
    proposeAccount({ tx, seal }, { subaccountId: subaccount.id, who: actor.who }, given),
  );
}

export function proposeAccountChange(
  { db, seal }: WriteParts,
  { actor, subaccount }: SubaccountAccess,
  id: string,
  given: GivenFields<ReceiverAccountChange>,
): Promise<Proposed> {
  return audited({ db, seal }, actor).transaction(proposalEntry, (tx) =>
    proposeChange({ tx, seal }, { subaccountId: subaccount.id, id, who: actor.who }, given),
  );
}
