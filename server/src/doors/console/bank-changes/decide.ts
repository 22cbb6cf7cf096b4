// A second user approves or declines a change of bank details.

import {
  type AccountKey,
  applyBankChange,
  type BankChange,
  decisionEntry,
  declineBankChange,
} from "../../../people/accounts/index.ts";
import type { Screener } from "../../../people/screening/index.ts";
import { type Actor, audited } from "../../../tenants/audit/index.ts";
import type { WriteParts } from "../write-parts.ts";

export function approveBankChange(
  { db, seal, clock, screener }: WriteParts & { screener: Screener },
  actor: Actor,
  key: AccountKey,
): Promise<BankChange & { accountId: string }> {
  const decision = { who: actor.who, atMs: clock() };
  return audited({ db, seal }, actor).transaction<BankChange & { accountId: string }>(
    (change) => decisionEntry("account.approve", change),
    (tx) => applyBankChange({ tx, seal, screener }, key, decision),
  );
}

export function rejectBankChange(
  { db, seal, clock }: WriteParts,
  actor: Actor,
  key: AccountKey,
  reason: string,
): Promise<BankChange> {
  const decision = { who: actor.who, atMs: clock(), reason };
  return audited({ db, seal }, actor).transaction<BankChange>(
    (change) => decisionEntry("account.decline", change, { reason }),
    (tx) => declineBankChange({ tx, seal }, key, decision),
  );
}
