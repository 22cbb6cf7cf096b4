// A change of bank details that a person proposes and another one decides: what it says, and what is shown of it. Pure.

import { type AccountFields, maskedNumber, tailOf } from "./account.ts";
import type { NewReceiverAccount, ReceiverAccountChange } from "./schema.ts";

export type BankChangeStatus = "waiting" | "applied" | "declined" | "withdrawn";

/** One field, as it may be shown: of an account number its end alone. */
export type FieldChange = { field: string; before: string; after: string };

/** What is sealed: the body that would have made the change, and what the person who decides is shown. */
export type Proposal = {
  given: NewReceiverAccount | ReceiverAccountChange;
  changes: FieldChange[];
};

/** The row identity that a proposal is sealed to. */
export function proposalIdentity(subaccountId: string, id: string): string {
  return `bank_details_change.proposal:${subaccountId}:${id}`;
}

/** Two numbers may end alike: that they differ is what counts. */
export function changesBetween(before: AccountFields, after: AccountFields): FieldChange[] {
  const names = Object.keys(after) as (keyof AccountFields)[];
  return names
    .filter((field) => before[field] !== after[field])
    .map((field) => ({
      field,
      before: shown(field, before[field]),
      after: shown(field, after[field]),
    }));
}

function shown(field: string, value: string): string {
  return field === "account_number" && value !== "" ? maskedNumber(tailOf(value)) : value;
}
