// Audit entries about changes of bank details.

import type { AuditNote } from "../../tenants/audit/index.ts";
import { maskedNumber } from "../person/index.ts";
import type { BankChange } from "./bank-change-queries.ts";
import type { Proposed } from "./propose-change.ts";

/** Names the fields, never their values. A new account is recorded under its receiver. */
export function proposalEntry({
  changeId,
  receiverId,
  accountId,
  changes,
  tail,
}: Proposed): AuditNote {
  return {
    action: "account.propose",
    object: objectOf(accountId, receiverId),
    after: {
      change_id: changeId,
      fields: changes.map(({ field }) => field),
      account_number: maskedNumber(tail),
    },
  };
}

export function decisionEntry(action: string, change: BankChange, more: object = {}): AuditNote {
  const { id, madeBy, accountId, receiverId } = change;
  const after = { change_id: id, made_by: madeBy, ...more };
  return { action, object: objectOf(accountId, receiverId), after };
}

function objectOf(accountId: string | null, receiverId: string): AuditNote["object"] {
  return accountId === null
    ? { kind: "receiver", id: receiverId }
    : { kind: "account", id: accountId };
}
