// Approves or declines a proposed change of bank details.

import type { Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { requireOtherUser } from "../../tenants/four-eyes/index.ts";
import type { Screener } from "../screening/index.ts";
import {
  type BankChange,
  lockBankChange,
  makersOfChange,
  updateBankChangeDecided,
} from "./bank-change-queries.ts";
import { changeAccount } from "./change.ts";
import { createAccount } from "./create.ts";
import { type AccountKey, lockAccount } from "./queries.ts";
import type { NewReceiverAccount, ReceiverAccountChange } from "./schema.ts";

type Sealing = { tx: Tx; seal: Seal };
type Applying = Sealing & { screener: Screener };
type ChangeDecision = { who: string; atMs: number };

/**
 * The approving user must not be the one who proposed it. Returns the change, with the account that it created or
 * changed.
 */
export async function applyBankChange(
  sealing: Applying,
  key: AccountKey,
  { who, atMs }: ChangeDecision,
): Promise<BankChange & { accountId: string }> {
  const change = await waitingChange(sealing, key);
  await requireOtherUser(sealing.tx, makersOfChange(change), {
    who,
    in: key.subaccountId,
  });
  const accountId = await make(sealing, change);
  const decision = { status: "applied", decidedBy: who, decidedAtMs: atMs } as const;
  await updateBankChangeDecided(sealing.tx, { ...key, ...decision, reason: "", accountId });
  return { ...change, accountId };
}

/** The user who proposed it may decline it too. */
export async function declineBankChange(
  sealing: Sealing,
  key: AccountKey,
  { who, atMs, reason }: ChangeDecision & { reason: string },
): Promise<BankChange> {
  const change = await waitingChange(sealing, key);
  const { accountId } = change;
  const status = change.madeBy === who ? "withdrawn" : "declined";
  const decision = { status, decidedBy: who, decidedAtMs: atMs, reason, accountId } as const;
  await updateBankChangeDecided(sealing.tx, { ...key, ...decision });
  return { ...change, status };
}

/** No second user has decided in time. */
export async function expireBankChange(
  sealing: Sealing,
  key: AccountKey,
  { who, atMs, reason }: ChangeDecision & { reason: string },
): Promise<BankChange> {
  const change = await waitingChange(sealing, key);
  const { accountId } = change;
  const decision = { status: "expired", decidedBy: who, decidedAtMs: atMs, reason } as const;
  await updateBankChangeDecided(sealing.tx, { ...key, ...decision, accountId });
  return change;
}

async function waitingChange(sealing: Sealing, key: AccountKey): Promise<BankChange> {
  const change = await lockBankChange(sealing, key);
  if (!change) throw new Refusal("CONS110");
  if (change.status === "waiting") return change;
  throw new Refusal("CONS401", { message: `The change was ${change.status} already` });
}

/** Recorded under the user who proposed it. All checks run again. */
async function make(sealing: Applying, change: BankChange): Promise<string> {
  const { subaccountId, accountId, accountVersion, proposal, madeBy: who, confirmedBy } = change;
  if (!proposal) throw new Refusal("CONS406");
  if (accountId === null) {
    const given = proposal.given as NewReceiverAccount;
    return (await createAccount(sealing, { subaccountId, who }, given)).account_id;
  }
  const key = { subaccountId, id: accountId };
  const locked = await lockAccount(sealing.tx, key);
  // The approving user saw a change of bank details that are no longer current.
  if (locked?.version !== accountVersion) throw new Refusal("CONS404");
  await changeAccount(
    sealing,
    { ...key, who, confirmedBy },
    proposal.given as ReceiverAccountChange,
  );
  return accountId;
}
