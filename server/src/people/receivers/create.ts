// Creates receivers. Calls that arrive together share one statement and one commit; each gets its own response.

import { type Caller, idTimeMs, newId, whoOf } from "../../platform/base/index.ts";
import { type Batching, batch, beforeStatement, spanOf } from "../../platform/batching/index.ts";
import { type Db, isUndoneByUs, type Runner, type Tx } from "../../platform/db/index.ts";
import type { PersonKey, Seal } from "../../platform/encryption/index.ts";
import {
  findStoredResponses,
  onceInBatch,
  type RequestConflict,
  respondOnce,
  type StoredResponse,
} from "../../platform/idempotency/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { type ObjectMetadata, someMetadata, writeMetadata } from "../../platform/metadata/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { isRemote, type KycProvider, type KycProviders } from "../kyc-providers/index.ts";
import { type PersonFields, personKeyIdentity, sealPerson } from "../person/index.ts";
import { receiverSubject, type Screened, type Screener } from "../screening/index.ts";
import { type Insertion, insertReceivers, type ReceiverToInsert } from "./insert-queries.ts";
import { firstStep } from "./move.ts";
import { emailKey } from "./receiver.ts";
import { createdReceiverAnswer, type NewReceiver } from "./schema.ts";

/** Resolves once the new receiver is committed. */
export type CreateReceiver = (caller: Caller, input: NewReceiver) => Promise<StoredResponse>;

type CreatorParts = {
  db: Db;
  seal: Seal;
  providers: KycProviders;
  screener: Screener;
  batching?: Batching | undefined;
  /** Called after a commit that made a KYC step due. */
  onDue?: (() => void) | undefined;
};

/** A receiver to create, the response to its request, and what screening found. */
export type ReceiverCreation = {
  caller: Caller;
  row: ReceiverToInsert;
  answer: string;
  screened: Screened | undefined;
  metadata?: ObjectMetadata;
};

export function receiverCreator(parts: CreatorParts): CreateReceiver {
  const { db, seal, providers, screener, batching, onDue } = parts;
  const observe = db.listeners.metrics?.batchSize("receivers-create");
  const createAll = async (wanted: WantedReceiver[]) => {
    const creations = beforeStatement(() => toReceiverCreations(wanted, { screener, seal }));
    const outcomes = await createReceivers(db.shared, creations);
    if (creations.some(isDueNow)) onDue?.();
    return outcomes;
  };
  const subaccountOf = ({ caller }: WantedReceiver) => caller.subaccountId;
  const span = spanOf<ReceiverOutcome>(db, "receivers-create");
  const create = batch(createAll, batching, { observe, subaccountOf, span });
  return (caller, input) =>
    respondOnce(async () => {
      const provider = providers[caller.mode];
      const outcome = await create({ caller, input, provider }, caller.trace);
      if (outcome === "email-taken") throw new Refusal("REVR201");
      return outcome;
    });
}

export type ReceiverOutcome = RequestConflict | "email-taken";

/** One outcome for each, in their order. Several of them may have the same idempotency key. */
export async function createReceivers(
  db: Db,
  creations: readonly ReceiverCreation[],
): Promise<ReceiverOutcome[]> {
  const hasKeys = creations.some(({ caller }) => caller.idempotency);
  // Metadata is written by a statement of its own.
  if (creations.some(({ metadata }) => metadata)) {
    return db.transaction((tx) => createReceiversOnce(tx, creations));
  }
  try {
    // Nearly always no address with a key is taken. Then one statement is enough: a transaction around it
    // would cost two more round trips, and a third of the rate.
    const insertions = await insertReceivers(db, creations.map(rowOf), {
      strict: hasKeys,
      screened: screenedOf(creations),
    });
    return await toOutcomes(db, creations, insertions);
  } catch (error) {
    if (!isUndoneByUs(error)) throw error;
    return db.transaction((tx) => createReceiversOnce(tx, creations));
  }
}

/** In a transaction of the caller. A refused call releases its key, and the next call under it is decided on. */
export function createReceiversOnce(
  tx: Tx,
  creations: readonly ReceiverCreation[],
): Promise<ReceiverOutcome[]> {
  return onceInBatch(tx, creations, async (admitted) => {
    const screened = screenedOf(admitted);
    const insertions = await insertReceivers(tx, admitted.map(rowWithoutKey), { screened });
    const created = admitted.filter((_, index) => insertions[index] === "created");
    await writeMetadata(
      tx,
      "receiver",
      created.flatMap(({ metadata }) => metadata ?? []),
    );
    return insertions.map((insertion, index): StoredResponse | "email-taken" =>
      insertion === "created"
        ? { body: (admitted[index] as ReceiverCreation).answer, replayed: false }
        : "email-taken",
    );
  });
}

async function toOutcomes(
  db: Runner,
  creations: readonly ReceiverCreation[],
  insertions: readonly Insertion[],
): Promise<ReceiverOutcome[]> {
  const known = creations.filter((_, index) => insertions[index] === "key-known");
  const stored = known.length > 0 ? await findStoredResponses(db, known.map(callerOf)) : [];
  return insertions.map((insertion, index) => {
    if (insertion === "key-known") return stored.shift() as RequestConflict;
    if (insertion !== "created") return insertion;
    return { body: (creations[index] as ReceiverCreation).answer, replayed: false };
  });
}

const isDueNow = ({ row }: ReceiverCreation) => row.kyc_due_at_ms === row.created_at_ms;
const callerOf = ({ caller }: ReceiverCreation) => caller;
const rowOf = ({ row }: ReceiverCreation) => row;

function screenedOf(creations: readonly ReceiverCreation[]): Screened[] {
  return creations.flatMap(({ screened }) => screened ?? []);
}

/** An earlier statement has admitted its nonce and its idempotency key. */
function rowWithoutKey({ row }: ReceiverCreation): ReceiverToInsert {
  return { ...row, nonce: undefined, idempotency_key: undefined };
}

type WantedReceiver = { caller: Caller; input: NewReceiver; provider: KycProvider; who?: string };
type Creating = { screener: Screener; seal: Seal };

/** All are encrypted, then all are screened. One receiver after the other, both would take twice the time. */
function toReceiverCreations(
  wanted: readonly WantedReceiver[],
  { screener, seal }: Creating,
): ReceiverCreation[] {
  const people = wanted.map((receiver) => newPerson(seal, receiver));
  const creations = wanted.map((receiver, index) =>
    toUnscreened(receiver, people[index] as NewPerson),
  );
  const subjects = creations.map(({ row }, index) => {
    const { subaccount_id, id, first_name, last_name, country } = row;
    const { middle_name = "", dob } = (wanted[index] as WantedReceiver).input;
    const receiver = { subaccount_id, id, first_name, middle_name, last_name, dob, country };
    return receiverSubject(receiver, people[index]?.key);
  });
  for (const [index, screened] of screener.screen(subjects).entries()) {
    const creation = creations[index] as ReceiverCreation;
    creation.screened = screened;
    creation.row.screening_set_id = screened?.setId;
  }
  return creations;
}

export function toReceiverCreation(
  caller: Caller,
  input: NewReceiver,
  { screener, seal, ...other }: Creating & Pick<WantedReceiver, "provider" | "who">,
): ReceiverCreation {
  const [creation] = toReceiverCreations([{ caller, input, ...other }], { screener, seal });
  return creation as ReceiverCreation;
}

function toUnscreened(
  { caller, input, provider, who = whoOf(caller) }: WantedReceiver,
  { id, columns }: NewPerson,
): ReceiverCreation {
  const createdAtMs = idTimeMs(id);
  const step = firstStep(provider, createdAtMs);
  const answer = createdReceiverAnswer(id);
  const { idempotency } = caller;
  const row: ReceiverToInsert = {
    subaccount_id: caller.subaccountId,
    id,
    created_at_ms: createdAtMs,
    request_id: caller.nonce || idempotency ? caller.requestId : undefined,
    api_key: caller.nonce && caller.key,
    nonce: caller.nonce?.value,
    nonce_expires_at_ms: caller.nonce?.expiresAtMs,
    idempotency_key: idempotency?.key,
    request_hash: idempotency?.requestHash,
    answer: idempotency && answer,
    answer_expires_at_ms: idempotency && createdAtMs + limits.idempotencyKeptMs,
    kyc_due_at_ms: step?.dueAtMs,
    first_name: input.first_name,
    last_name: input.last_name,
    middle_name: input.middle_name || undefined,
    email: input.email,
    email_key: emailKey(input.email),
    gender: input.gender,
    ...columns,
    country: input.country,
    reference: input.reference || undefined,
    // A remote provider creates its own applicant, in the background. Until then there is none.
    applicant_id: isRemote(provider) ? "" : provider.applicantIdFor(id),
    status: isRemote(provider) ? "creating" : "pending",
    kyc_status: "pending",
    created_by: who,
    kyc_provider: provider.name,
    kyc_step: step?.kind,
    screening_set_id: undefined,
  };
  const metadata = someMetadata(input.metadata);
  const creation = { caller, row, answer, screened: undefined };
  if (!metadata) return creation;
  const { subaccountId } = caller;
  return { ...creation, metadata: { subaccountId, id, metadata, eventId: id } };
}

function personOf(input: PersonFields): PersonFields {
  const { dob, dialcode, phone, address, address2, city, state, postcode } = input;
  return { dob, dialcode, phone, address, address2, city, state, postcode };
}

type StoredColumns = Partial<PersonFields> &
  Pick<ReceiverToInsert, "dob" | "phone" | "person_key" | "person_sealed">;
type NewPerson = { id: string; columns: StoredColumns; key: PersonKey | undefined };

/** A new receiver's id, columns of the person, and key. */
function newPerson(seal: Seal, { caller, input }: WantedReceiver): NewPerson {
  const id = newId();
  const { subaccountId } = caller;
  const { key, stored } = seal.newPersonKey(personKeyIdentity(subaccountId, id));
  const person = { ...personOf(input), subaccount_id: subaccountId, id };
  const { dob, phone, person_sealed } = sealPerson(seal, key, person);
  const bytes = { person_key: byteText(stored), person_sealed: byteText(person_sealed) };
  return { id, columns: { dob, phone, ...bytes }, key };
}

/** As PostgreSQL reads bytes from a text. */
function byteText(bytes: Buffer): string {
  return `\\x${bytes.toString("hex")}`;
}
