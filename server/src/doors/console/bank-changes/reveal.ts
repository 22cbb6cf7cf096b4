// Shows the approver the whole old and new account number, to compare them with the receiver's letter. The audit
// entry is committed before the numbers are shown.

import { type AccountKey, decisionEntry, lockBankChange } from "../../../people/accounts/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { type Actor, recordAct } from "../../../tenants/audit/index.ts";
import { findNumber } from "../receivers/account-queries.ts";
import type { RevealedChange } from "./schema.ts";

export function revealChange(
  { db, seal }: { db: Db; seal: Seal },
  actor: Actor,
  key: AccountKey,
): Promise<RevealedChange> {
  return db.transaction(async (tx) => {
    const change = await lockBankChange({ tx, seal }, key);
    if (!change) throw new Refusal("CONS110");
    if (!change.proposal) throw new Refusal("CONS406");
    const { subaccountId, accountId, accountVersion } = change;
    const old =
      accountId === null || accountVersion === null
        ? undefined
        : await findNumber({ tx, seal }, { subaccountId, id: accountId }, accountVersion);
    const before = old?.accountNumber ?? "";
    const { account_number: after = before } = change.proposal.given as { account_number?: string };
    await recordAct({ tx, seal }, actor, decisionEntry("account.reveal_change", change));
    return { before, after };
  });
}
