// A user proposes a new bank account of a receiver, or a change of one. A second user decides.

import { type Proposed, proposeAccount, proposeChange } from "../../accounts/propose-change.ts";
import type { NewReceiverAccount, ReceiverAccountChange } from "../../accounts/schema.ts";
import { audited } from "../../audit/audited.ts";
import type { GivenFields } from "../../fields/fields.ts";
import type { SubaccountAccess } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import { proposalEntry } from "./audit-entries.ts";

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
