// A change of bank details that one user proposes and another decides: its content, and the part that is shown. Pure.

import { type AccountFields, maskedNumber, tailOf } from "../person/index.ts";
import { comparableNumber } from "./mark.ts";
import type { NewReceiverAccount, ReceiverAccountChange } from "./schema.ts";

export type BankChangeStatus = "waiting" | "applied" | "declined" | "withdrawn" | "expired";

/** One field as it may be shown: only the last digits of an account number. */
export type FieldChange = { field: string; before: string; after: string };

/** The sealed content: the body that would have made the change, and the fields that the deciding user sees. */
export type Proposal = {
  given: NewReceiverAccount | ReceiverAccountChange;
  changes: FieldChange[];
};

/** The row identity that a proposal is sealed to. */
export function proposalIdentity(subaccountId: string, id: string): string {
  return `bank_details_change.proposal:${subaccountId}:${id}`;
}

/** Two different numbers may have the same last digits. They still count as a change. */
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

type Compared = Pick<AccountFields, "country" | "account_number" | "bsb" | "bank_code">;

/** Whether a new account that waits is this one, however its number is written. */
export function isProposedAccount(
  { country, proposal }: { country: string; proposal: Proposal | undefined },
  account: Compared,
): boolean {
  if (!proposal || country !== account.country) return false;
  const { account_number = "" } = proposal.given;
  const isAtBank = (["bsb", "bank_code"] as const).every((name) => {
    const change = proposal.changes.find(({ field }) => field === name);
    return (change?.after ?? "") === account[name];
  });
  const comparable = (number: string) => comparableNumber(country, number.replace(/[\s.-]/g, ""));
  return isAtBank && comparable(account_number) === comparable(account.account_number);
}

function shown(field: string, value: string): string {
  return field === "account_number" && value !== "" ? maskedNumber(tailOf(value)) : value;
}
