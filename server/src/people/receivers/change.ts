// Changes a receiver: its details, whether it can be paid, its identity check. Each change is one transaction on a
// locked row, so that two changes of one receiver come one after the other.

import { isUniqueViolation, type Tx } from "../../platform/db/index.ts";
import type { PersonKey, Seal } from "../../platform/encryption/index.ts";
import { isSameMetadata, someMetadata, writeMetadata } from "../../platform/metadata/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { receiverWords, replaceReceiverWords } from "../../platform/search-words/index.ts";
import { type OutboxEvent, receiverUpdate } from "../../webhooks/events/index.ts";
import { type KycProviders, manualProvider, providerNamed } from "../kyc-providers/index.ts";
import { openPerson, personKeyOf, sealPerson } from "../person/index.ts";
import { receiverSubject, type Screener, screenAndWrite } from "../screening/index.ts";
import { type ReceiverMoveRequest, restartStep, statesOf, toReceiverMove } from "./move.ts";
import { presentReceiver, type ReceiverKey } from "./queries.ts";
import { emailKey, receiverChangeRules } from "./receiver.ts";
import type { Receiver, ReceiverChange } from "./schema.ts";
import {
  type LockedReceiver,
  lockReceiver,
  moveReceivers,
  type ReceiverDetails,
  receiverHasPendingPayouts,
  recheckPayeeNames,
  type StoredLockedReceiver,
  updateReceiver,
} from "./state-queries.ts";
import { isSame, nextStates, type States, type Transition } from "./states.ts";

/** The actor of a change, and the providers of identity checks. */
export type Changing = { who: string; providers: KycProviders; atMs: number };

const identity = ["first_name", "middle_name", "last_name", "dob"] as const;
const payeeName = ["first_name", "last_name"] as const;
const searchedFields = ["first_name", "middle_name", "last_name", "email", "reference"] as const;
/** The fields that are screened. */
const screenedFields = [...identity, "country"] as const;

/** Returns the receiver after the change. */
export async function changeReceiver(
  tx: Tx,
  key: ReceiverKey,
  { status: wanted, metadata, ...given }: ReceiverChange,
  changing: Changing & { screener: Screener; seal: Seal },
): Promise<Receiver> {
  const { seal } = changing;
  const current = openPerson(seal, key.subaccountId, await lockOrRefuse(tx, key));
  const personKey = personKeyOf(seal, key.subaccountId, current);
  const before = detailsOf(current);
  const details: ReceiverDetails = { ...before, ...given };
  details.email_key = emailKey(details.email);
  const changed = (Object.keys(given) as (keyof typeof given)[]).filter(
    (field) => before[field] !== details[field],
  );
  // The given fields are consistent. Now they are checked together with the stored ones.
  const [first, ...rest] = receiverChangeRules(details);
  if (first && changed.length > 0) throw new Refusal([first, ...rest]);

  const isOther = identity.some((field) => changed.includes(field));
  let to = isOther ? moved(current, "identityChanged") : statesOf(current);
  if (wanted) to = moved(to, wanted === "active" ? "enabled" : "disabled");
  if (to.status === "inactive") await requireIdle(tx, key, current);
  const hasNewMetadata = metadata !== undefined && !isSameMetadata(metadata, current.metadata);
  if (changed.length === 0 && !hasNewMetadata && isSame(current, to))
    return presentReceiver(current);

  if (hasNewMetadata) {
    await writeMetadata(tx, "receiver", [
      { subaccountId: key.subaccountId, id: current.id, metadata },
    ]);
    current.metadata = someMetadata(metadata) ?? null;
  }
  if (changed.length > 0) await save({ tx, seal }, { ...key, id: current.id }, personKey, details);
  if (searchedFields.some((field) => changed.includes(field))) {
    await replaceReceiverWords(tx, key, receiverWords(details));
  }
  if (payeeName.some((field) => changed.includes(field))) {
    await recheckPayeeNames(tx, key, changing.atMs);
  }
  if (screenedFields.some((field) => changed.includes(field))) {
    const changedReceiver = { ...details, subaccount_id: key.subaccountId, id: current.id };
    const subject = receiverSubject(changedReceiver, personKey);
    const { atMs } = changing;
    await screenAndWrite(tx, changing.screener, subject, { atMs, isChanged: true });
  }
  const fields = hasNewMetadata ? [...changed, "metadata"] : changed;
  const facts = { subaccountId: key.subaccountId, receiverId: current.id, status: to.status };
  const later =
    fields.length > 0 ? [receiverUpdate({ ...facts, atMs: changing.atMs }, fields)] : [];
  await write(tx, key, current, to, {
    ...changing,
    ...{ reason: reasonOf(fields, wanted), isOther, later },
  });
  return presentReceiver({ ...current, ...details, ...to });
}

/** The receiver stays, with its address and its history, but is no longer paid. */
export async function disableReceiver(
  tx: Tx,
  key: ReceiverKey,
  changing: Changing,
  reason = "deleted",
): Promise<States> {
  const current = await lockOrRefuse(tx, key);
  const to = moved(current, "disabled");
  await requireIdle(tx, key, current);
  if (!isSame(current, to)) {
    await write(tx, key, current, to, { ...changing, reason, isOther: false });
  }
  return to;
}

export async function restartKyc(tx: Tx, key: ReceiverKey, changing: Changing): Promise<void> {
  const current = await lockOrRefuse(tx, key);
  const to = moved(current, "restarted");
  await write(tx, key, current, to, {
    ...changing,
    reason: "verification restarted",
    isOther: true,
  });
}

/** Refuses while a payout is pending. A payout that is created at this moment is stopped before it is sent. */
async function requireIdle(tx: Tx, key: ReceiverKey, { status }: States): Promise<void> {
  if (status === "active" && (await receiverHasPendingPayouts(tx, key)))
    throw new Refusal("REVR301");
}

export async function lockOrRefuse(tx: Tx, key: ReceiverKey): Promise<StoredLockedReceiver> {
  const current = await lockReceiver(tx, key);
  if (!current) throw new Refusal("REVR101");
  if (current.erased_at_ms !== null) throw new Refusal("REVR306");
  return current;
}

const transitionWords: Record<Transition, string> = {
  applicantMade: "get an applicant",
  applicantRefused: "lose its applicant",
  approved: "be approved",
  rejected: "be rejected",
  retried: "be asked to try again",
  approvedByUser: "be approved",
  reopened: "be opened again",
  restarted: "have its verification restarted",
  identityChanged: "change its identity",
  disabled: "be deactivated",
  enabled: "be activated",
  erased: "be erased",
};

export function moved(from: States, transition: Transition): States {
  const to = nextStates(from, transition);
  if (to) return to;
  const message =
    "Change is not allowed in this state: " +
    `a receiver that is ${from.status}, with KYC ${from.kyc_status}, can't ${transitionWords[transition]}`;
  throw new Refusal("REVR302", { message });
}

async function save(
  { tx, seal }: { tx: Tx; seal: Seal },
  key: ReceiverKey,
  personKey: PersonKey | undefined,
  details: ReceiverDetails,
): Promise<void> {
  const person = { ...details, subaccount_id: key.subaccountId, id: key.id };
  const sealed = personKey && sealPerson(seal, personKey, person);
  try {
    await updateReceiver(tx, key, { ...details, ...sealed });
  } catch (error) {
    throw isUniqueViolation(error, "receiver_email_taken") ? new Refusal("REVR201") : error;
  }
}

type Written = Changing & { reason: string; isOther: boolean; later?: OutboxEvent[] };

async function write(
  tx: Tx,
  key: ReceiverKey,
  current: States & Pick<LockedReceiver, "kyc_provider">,
  to: States,
  { who, providers, atMs, reason, isOther, later = [] }: Written,
): Promise<void> {
  const from = statesOf(current);
  // If its provider is no longer configured, a user decides.
  const provider = providerNamed(providers, current.kyc_provider) ?? manualProvider;
  const step = isOther ? restartStep(provider, from, atMs) : "as-before";
  const move: ReceiverMoveRequest = { ...key, from, to, who, reason, atMs, step, later };
  // Earlier reports are about the old identity.
  if (isOther) move.reportedAtMs = atMs;
  const [done] = await moveReceivers(tx, [toReceiverMove(move)]);
  if (!done) throw new Error("a receiver that is locked must move");
}

function detailsOf(row: LockedReceiver): ReceiverDetails {
  const { first_name, middle_name, last_name, email, gender, dob, dialcode, phone } = row;
  const { address, address2, city, state, postcode, country, reference } = row;
  const person = { first_name, middle_name, last_name, email, gender, dob, dialcode, phone };
  const place = { address, address2, city, state, postcode, country };
  return { ...person, ...place, reference, email_key: emailKey(email) };
}

/** Names the fields, never their values: more users may read the history than the receiver. */
function reasonOf(changed: readonly string[], wanted: string | undefined): string {
  const parts = changed.length > 0 ? [`changed ${changed.join(", ")}`] : [];
  if (wanted) parts.push(wanted === "active" ? "activated" : "deactivated");
  return parts.join("; ");
}
