// Erases a receiver: overwrites every word about the person, in one transaction. What the law still needs refuses it.

import { firstIdOf } from "../../platform/base/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import type { PersonKey, Seal } from "../../platform/encryption/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { type Retention, retentionDayMs } from "../../platform/retention/index.ts";
import { lockSearchWords } from "../../platform/search-words/index.ts";
import { listEntriesAbout, redactEntries } from "../../tenants/audit/index.ts";
import { proposalIdentity } from "../accounts/index.ts";
import {
  accountNumberIdentity,
  ifReadable,
  openPersonIfReadable,
  openValue,
  personKeyOf,
} from "../person/index.ts";
import {
  emailKey,
  isSame,
  type LockedReceiver,
  lockReceiver,
  moved,
  moveReceivers,
  type ReceiverKey,
  statesOf,
  toReceiverMove,
} from "../receivers/index.ts";
import { findPersonIds } from "./erased-column-queries.ts";
import {
  emptyTransferReferences,
  findErasureObstacles,
  insertErasure,
  listSealed,
  overwritePlaces,
  updateSealed,
} from "./erasure-queries.ts";

export type Erasing = {
  who: string;
  atMs: number;
  retention: Retention;
  /** The erasure was decided before, and a restored backup does not have it yet: nothing refuses it. */
  isRepeated?: boolean;
};

export type Erased = {
  erasedAtMs: number;
  /** False: it was erased before. */
  isNew: boolean;
  /** At a provider of identity checks, which has data of its own. Undefined: there is none. */
  applicant: { provider: string; id: string } | undefined;
};

/** A receiver that is erased already stays as it is. */
export async function eraseReceiver(
  { tx, seal }: { tx: Tx; seal: Seal },
  key: ReceiverKey,
  { who, atMs, retention, isRepeated = false }: Erasing,
): Promise<Erased> {
  const current = await lockReceiver(tx, key);
  if (!current) throw new Refusal("REVR101");
  if (current.erased_at_ms !== null) {
    return { erasedAtMs: Number(current.erased_at_ms), isNew: false, applicant: undefined };
  }
  const ids = await findPersonIds(tx, key);
  if (!isRepeated) await refuseObstacles(tx, key, { payouts: ids.payouts, atMs, retention });

  // The move first: its event is the last one about the receiver, and has no words of the person.
  const to = moved(current, "erased");
  if (!isSame(current, to) || current.kyc_step !== null) {
    const from = statesOf(current);
    const move = toReceiverMove({ ...key, from, to, who, reason: "erased", atMs, step: null });
    const [done] = await moveReceivers(tx, [move]);
    if (!done) throw new Error("a receiver that is locked must move");
  }
  await lockSearchWords(tx, key.subaccountId, firstIdOf(atMs));
  // A person that can't be decrypted is erased as well: the key is destroyed either way.
  const { phone } = openPersonIfReadable(seal, key.subaccountId, current);
  const personKey = ifReadable(() => personKeyOf(seal, key.subaccountId, current));
  const numbers = await eraseSealed({ tx, seal, personKey }, key, ids.accounts);
  const words = wordsOf({ ...current, phone }, numbers);
  const { subaccountId, id } = key;
  const objectIds = [id, ...ids.accounts, ...ids.payouts, ...ids.lines, ...ids.items];
  const entries = await listEntriesAbout(tx, { subaccountId, objectIds, words });
  await redactEntries({ tx, seal }, entries);
  await overwritePlaces(tx, { ...ids, subaccount: subaccountId, receiver: id, words });
  await emptyTransferReferences(tx, subaccountId, ids.payouts);
  await insertErasure(tx, {
    subaccount_id: subaccountId,
    receiver_id: id,
    erased_at_ms: atMs,
    erased_by: who,
    email_hash: erasedEmailHash(seal, current.email),
  });
  tx.afterCommit(({ changed }) => changed(subaccountId, "receivers"));
  const { kyc_provider: provider, applicant_id } = current;
  const isRemote = provider !== "manual" && provider !== "sandbox" && applicant_id !== "";
  const applicant = isRemote ? { provider, id: applicant_id } : undefined;
  return { erasedAtMs: atMs, isNew: true, applicant };
}

/** By it an email is recognised as one of an erased receiver. Without the master key it tells nothing. */
export function erasedEmailHash(seal: Pick<Seal, "fingerprint">, email: string): string {
  return seal.fingerprint(Buffer.from(`erased email ${emailKey(email)}`));
}

/** Refuses what an erasure would refuse now. Returns false if the receiver is erased already. */
export async function requireErasable(
  tx: Tx,
  key: ReceiverKey,
  { atMs, retention }: Pick<Erasing, "atMs" | "retention">,
): Promise<boolean> {
  const current = await lockReceiver(tx, key);
  if (!current) throw new Refusal("REVR101");
  if (current.erased_at_ms !== null) return false;
  const { payouts } = await findPersonIds(tx, key);
  await refuseObstacles(tx, key, { payouts, atMs, retention });
  return true;
}

type Judging = { payouts: readonly string[]; atMs: number; retention: Retention };

/** Refuses with the reason. Callers are never told what a review is about. */
async function refuseObstacles(
  tx: Tx,
  key: ReceiverKey,
  { payouts, atMs, retention }: Judging,
): Promise<void> {
  const keptSinceMs = atMs - retention.screening * retentionDayMs;
  const found = await findErasureObstacles(tx, key, { payouts, keptSinceMs });
  if (found.hasPending) throw new Refusal("REVR301");
  if (found.hasReview) throw new Refusal("REVR307");
  if (found.lastPayoutMs === undefined) return;
  // Bank files hold the names of payees, so both periods must have ended.
  const days = Math.max(retention.payouts, retention.bankFiles);
  const fromMs = found.lastPayoutMs + days * retentionDayMs;
  if (fromMs <= atMs) return;
  const day = new Date(fromMs + retentionDayMs).toISOString().slice(0, 10);
  throw new Refusal("REVR308", {
    message: `Legal period has not ended: payouts are kept for ${days} days; the receiver can be erased from ${day}`,
  });
}

const noProposal = JSON.stringify({ given: {}, changes: [] });

/** Encrypted values become empty ones, under a data key. Returns the account numbers. */
async function eraseSealed(
  { tx, seal, personKey }: { tx: Tx; seal: Seal; personKey: PersonKey | undefined },
  key: ReceiverKey,
  accounts: readonly string[],
): Promise<string[]> {
  const { subaccountId } = key;
  const numbers: string[] = [];
  for (const row of await listSealed(tx, key, accounts)) {
    const isNumber = row.kind === "number";
    const identity = isNumber
      ? accountNumberIdentity(subaccountId, row.id, row.version)
      : proposalIdentity(subaccountId, row.id);
    const number = ifReadable(() => openValue(seal, personKey, row.sealed, identity));
    if (isNumber && number) numbers.push(number);
    const sealed = seal.encrypt(isNumber ? "" : noProposal, identity);
    await updateSealed(tx, subaccountId, { ...row, sealed });
  }
  return numbers;
}

const digitsMin = 6;

type NamedPerson = Pick<LockedReceiver, "first_name" | "last_name" | "email" | "phone">;

/** Texts that name this person and no other one: a first name alone does not. */
function wordsOf(receiver: NamedPerson, numbers: readonly string[]): string[] {
  const { first_name: first, last_name: last, email, phone } = receiver;
  const words = [
    email,
    ...[`${first} ${last}`, `${last} ${first}`, `${last}, ${first}`],
    ...[phone, ...numbers].filter((text) => text.length >= digitsMin),
  ];
  return [...new Set(words.map((word) => word.trim().toLowerCase()))].filter(Boolean);
}
