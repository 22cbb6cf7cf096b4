// Creates receivers. Calls that arrive together share one statement and one commit; each gets its own response.

import { type Caller, whoOf } from "../caller.ts";
import { type Batching, batch } from "../db/batch.ts";
import { type Db, isUndoneByUs, type Runner, type Tx } from "../db/connect.ts";
import { spanOf } from "../db/trace-statement.ts";
import {
  findStoredResponses,
  onceInBatch,
  type RequestConflict,
  respondOnce,
  type StoredResponse,
} from "../idempotency/once.ts";
import { idTimeMs, newId } from "../ids.ts";
import { isRemote, type KycProvider } from "../kyc-providers/provider.ts";
import type { KycProviders } from "../kyc-providers/providers.ts";
import { limits } from "../limits.ts";
import { Refusal } from "../refusals/refusals.ts";
import type { Screened } from "../screening/record-queries.ts";
import type { Screener } from "../screening/screener.ts";
import { receiverSubject } from "../screening/subject.ts";
import type { PersonKey, Seal } from "../seal.ts";
import { firstStep } from "./move.ts";
import { type PersonFields, personKeyIdentity, sealPerson } from "./person.ts";
import { type Insertion, insertReceivers, type ReceiverToInsert } from "./queries.ts";
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
};

export function receiverCreator(parts: CreatorParts): CreateReceiver {
  const { db, seal, providers, screener, batching, onDue } = parts;
  const observe = db.listeners.metrics?.batchSize("receivers-create");
  const createAll = (creations: ReceiverCreation[]) => createReceivers(db.shared, creations);
  const span = spanOf<ReceiverOutcome>(db, "receivers-create");
  const create = batch(createAll, batching, { observe, subaccountOf, span });
  return async (caller, input) => {
    const provider = providers[caller.mode];
    const creation = toReceiverCreation(caller, input, { provider, screener, seal });
    const response = await respondOnce(async () => {
      const outcome = await create(creation, caller.trace);
      if (outcome === "email-taken") throw new Refusal("REVR201");
      return outcome;
    });
    if (creation.row.kyc_due_at_ms === creation.row.created_at_ms) onDue?.();
    return response;
  };
}

export type ReceiverOutcome = RequestConflict | "email-taken";

/** One outcome for each, in their order. Several of them may have the same idempotency key. */
export async function createReceivers(
  db: Db,
  creations: readonly ReceiverCreation[],
): Promise<ReceiverOutcome[]> {
  const hasKeys = creations.some(({ caller }) => caller.idempotency);
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

const subaccountOf = ({ caller }: ReceiverCreation) => caller.subaccountId;
const callerOf = ({ caller }: ReceiverCreation) => caller;
const rowOf = ({ row }: ReceiverCreation) => row;

function screenedOf(creations: readonly ReceiverCreation[]): Screened[] {
  return creations.flatMap(({ screened }) => screened ?? []);
}

/** An earlier statement has admitted its nonce and its idempotency key. */
function rowWithoutKey({ row }: ReceiverCreation): ReceiverToInsert {
  return { ...row, nonce: undefined, idempotency_key: undefined };
}

type Creating = { provider: KycProvider; screener: Screener; seal: Seal; who?: string };

export function toReceiverCreation(
  caller: Caller,
  input: NewReceiver,
  { provider, screener, seal, who = whoOf(caller) }: Creating,
): ReceiverCreation {
  const id = newId();
  const createdAtMs = idTimeMs(id);
  const step = firstStep(provider, createdAtMs);
  const answer = createdReceiverAnswer(id);
  const { idempotency, subaccountId } = caller;
  const { columns, key } = storedPerson(seal, {
    ...personOf(input),
    subaccount_id: subaccountId,
    id,
  });
  const row: ReceiverToInsert = {
    subaccount_id: subaccountId,
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
    ...columns,
    country: input.country,
    reference: input.reference ?? "",
    // A remote provider creates its own applicant, in the background. Until then there is none.
    applicant_id: isRemote(provider) ? "" : provider.applicantIdFor(id),
    status: isRemote(provider) ? "creating" : "pending",
    kyc_status: "pending",
    created_by: who,
    kyc_provider: provider.name,
    kyc_step: step?.kind,
    screening_set_id: undefined,
  };
  const screened = screener.screen(receiverSubject({ ...row, dob: input.dob }, key));
  row.screening_set_id = screened?.setId;
  return { caller, row, answer, screened };
}

function personOf(input: PersonFields): PersonFields {
  const { dob, dialcode, phone, address, address2, city, state, postcode } = input;
  return { dob, dialcode, phone, address, address2, city, state, postcode };
}

type StoredColumns = PersonFields & Pick<ReceiverToInsert, "person_key" | "person_sealed">;

/** The columns of a new receiver, and its key. */
function storedPerson(
  seal: Seal,
  person: PersonFields & { subaccount_id: string; id: string },
): { columns: StoredColumns; key: PersonKey | undefined } {
  if (!seal.givesPersonKeys) {
    return {
      columns: { ...personOf(person), person_key: undefined, person_sealed: undefined },
      key: undefined,
    };
  }
  const { key, wrapped } = seal.newPersonKey(personKeyIdentity(person.subaccount_id, person.id));
  const { person_sealed, ...columns } = sealPerson(seal, key, person);
  return {
    columns: { ...columns, person_key: byteText(wrapped), person_sealed: byteText(person_sealed) },
    key,
  };
}

/** As PostgreSQL reads bytes from a text. */
function byteText(bytes: Buffer): string {
  return `\\x${bytes.toString("hex")}`;
}
