// Creates receivers. Calls that come together are one statement and one commit; each gets its own answer.

import { type Caller, whoOf } from "../caller.ts";
import { type Batching, batch } from "../db/batch.ts";
import { type Db, isUndoneByUs, type Runner, type Tx } from "../db/connect.ts";
import {
  findAnswers,
  type RequestConflict,
  releaseKeys,
  responseOrRefuse,
  retryWhileLocked,
  type StoredResponse,
} from "../idempotency/once.ts";
import { idTimeMs, newId } from "../ids.ts";
import { isRemote, type KycProvider } from "../kyc-providers/provider.ts";
import type { KycProviders } from "../kyc-providers/providers.ts";
import { limits } from "../limits.ts";
import { Refusal } from "../refusals/refusals.ts";
import { firstStep } from "./move.ts";
import { type Insertion, insertReceivers, type ReceiverToInsert } from "./queries.ts";
import { emailKey } from "./receiver.ts";
import { createdReceiverAnswer, type NewReceiver } from "./schema.ts";

/** Answers once the new receiver is committed. */
export type CreateReceiver = (caller: Caller, input: NewReceiver) => Promise<StoredResponse>;

export type CreatorParts = {
  db: Db;
  providers: KycProviders;
  batching?: Batching | undefined;
  /** Called after a commit that left something for the background to do at once. */
  onDue?: (() => void) | undefined;
};

/** A receiver to create, and what the one who asks for it is told. */
export type ReceiverCreation = { caller: Caller; row: ReceiverToInsert; answer: string };

export function receiverCreator({ db, providers, batching, onDue }: CreatorParts): CreateReceiver {
  const observe = db.listeners.metrics?.batchSize("receivers-create");
  const createAll = (creations: ReceiverCreation[]) => createReceivers(db.shared, creations);
  const create = batch(createAll, batching, { observe, subaccountOf });
  return async (caller, input) => {
    const creation = toReceiverCreation(caller, input, providers[caller.mode]);
    const outcome = await retryWhileLocked(() => create(creation));
    if (outcome === "email-taken") throw new Refusal("REVR201");
    if (creation.row.kyc_due_at_ms === creation.row.created_at_ms) onDue?.();
    return responseOrRefuse(outcome);
  };
}

export type ReceiverOutcome = RequestConflict | "email-taken";

/** One answer for each, in their order. Several of them may have one idempotency key. */
export async function createReceivers(
  db: Db,
  creations: readonly ReceiverCreation[],
): Promise<ReceiverOutcome[]> {
  if (!creations.some(({ caller }) => caller.idempotency)) {
    return (await insert(db, creations)).map(toOutcome(creations));
  }
  try {
    // Nearly always no address with a key is taken. Then one statement is enough: a transaction around it
    // would cost two more round trips, and a third of the rate.
    return await withAnswers(db, creations, await insert(db, creations, { strict: true }));
  } catch (error) {
    if (!isUndoneByUs(error)) throw error;
    return db.transaction((tx) => createReceiversOnce(tx, creations));
  }
}

async function withAnswers(
  db: Runner,
  creations: readonly ReceiverCreation[],
  insertions: readonly Insertion[],
): Promise<ReceiverOutcome[]> {
  const known = creations.filter((_, index) => insertions[index] === "key-known");
  const answers = known.length > 0 ? await findAnswers(db, known.map(callerOf)) : [];
  return insertions.map((insertion, index) =>
    insertion === "key-known"
      ? (answers.shift() as ReceiverOutcome)
      : toOutcome(creations)(insertion, index),
  );
}

/**
 * What is known gets the answer of the first time. What is refused gives its key back, and those that met
 * the key here have another turn; all in one transaction, so that a statement that fails undoes it all.
 */
export async function createReceiversOnce(
  tx: Tx,
  creations: readonly ReceiverCreation[],
): Promise<ReceiverOutcome[]> {
  const insertions = await insert(tx, creations);
  const having = (insertion: Insertion) =>
    creations.filter(({ caller }, index) => caller.idempotency && insertions[index] === insertion);
  const refused = having("email-taken");
  const known = having("key-known");
  if (refused.length > 0) await releaseKeys(tx, refused.map(callerOf));
  const free = new Set(refused.map(nameOf));
  const again = known.filter((creation) => free.has(nameOf(creation)));
  const rest = known.filter((creation) => !free.has(nameOf(creation)));

  const outcomes = new Map(
    insertions.map(toOutcome(creations)).map((outcome, index) => [creations[index], outcome]),
  );
  const note = (group: readonly ReceiverCreation[], answers: readonly ReceiverOutcome[]) => {
    for (const [index, one] of group.entries())
      outcomes.set(one, answers[index] as ReceiverOutcome);
  };
  if (rest.length > 0) note(rest, await findAnswers(tx, rest.map(callerOf)));
  if (again.length > 0) note(again, await createReceiversOnce(tx, again.map(withoutNonce)));
  return creations.map((creation) => outcomes.get(creation) as ReceiverOutcome);
}

const subaccountOf = ({ caller }: ReceiverCreation) => caller.subaccountId;
const callerOf = ({ caller }: ReceiverCreation) => caller;

/** In its second turn, a call has used its nonce up already. */
function withoutNonce({ row, ...rest }: ReceiverCreation): ReceiverCreation {
  return { ...rest, row: { ...row, nonce: undefined } };
}

function insert(
  db: Runner,
  creations: readonly ReceiverCreation[],
  options: { strict?: boolean } = {},
): Promise<Insertion[]> {
  const rows = creations.map(({ row }) => row);
  return insertReceivers(db, rows, options);
}

function toOutcome(creations: readonly ReceiverCreation[]) {
  return (insertion: Insertion, index: number): ReceiverOutcome => {
    const body = (creations[index] as ReceiverCreation).answer;
    if (insertion === "created") return { body, replayed: false };
    // Until its answer is looked up.
    return insertion === "key-known" ? "key-reused" : insertion;
  };
}

function nameOf({ caller: { subaccountId, idempotency } }: ReceiverCreation): string {
  return `${subaccountId} ${idempotency?.key}`;
}

export function toReceiverCreation(
  caller: Caller,
  input: NewReceiver,
  provider: KycProvider,
  who: string = whoOf(caller),
): ReceiverCreation {
  const id = newId();
  const createdAtMs = idTimeMs(id);
  const step = firstStep(provider, createdAtMs);
  const answer = createdReceiverAnswer(id);
  const { idempotency } = caller;
  const row: ReceiverToInsert = {
    subaccount_id: caller.subaccountId,
    id,
    created_at_ms: createdAtMs,
    request_id: caller.requestId,
    key: caller.key,
    nonce: caller.nonce?.value,
    nonce_expires_at_ms: caller.nonce?.expiresAtMs,
    idempotency_key: idempotency?.key,
    request_hash: idempotency?.requestHash,
    answer: idempotency && answer,
    answer_expires_at_ms: idempotency && createdAtMs + limits.idempotencyKeptMs,
    kyc_due_at_ms: step?.dueAtMs,
    first_name: input.first_name,
    last_name: input.last_name,
    middle_name: input.middle_name ?? "",
    email: input.email,
    email_key: emailKey(input.email),
    gender: input.gender,
    dob: input.dob,
    dialcode: input.dialcode,
    phone: input.phone,
    address: input.address,
    address2: input.address2,
    city: input.city,
    state: input.state,
    postcode: input.postcode,
    country: input.country,
    reference: input.reference ?? "",
    // Somebody else's service makes its own, in the background: until then there is none.
    applicant_id: isRemote(provider) ? "" : provider.applicantIdFor(id),
    status: isRemote(provider) ? "creating" : "pending",
    kyc_status: "pending",
    created_by: who,
    kyc_provider: provider.name,
    kyc_step: step?.kind,
  };
  return { caller, row, answer };
}
