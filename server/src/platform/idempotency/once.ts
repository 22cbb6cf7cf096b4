// The idempotency protocol. A nonce is used up and an idempotency key is stored in the transaction of the write
// itself, so all of it is committed, or none of it. `once` is for a single request, `onceInBatch` for requests that
// share a transaction. A key that another request holds is never waited for in here: `respondOnce` tries again.

import { setTimeout as sleep } from "node:timers/promises";
import type { Caller } from "../base/index.ts";
import { type EndTurn, type Turns, tracedFor, turns } from "../batching/index.ts";
import { type Db, type Runner, shareOf, type Tx } from "../db/index.ts";
import type { Seal } from "../encryption/index.ts";
import { limits } from "../limits/index.ts";
import { Refusal } from "../refusals/index.ts";
import {
  admitRequests,
  deleteKeptAnswers,
  findKeptAnswers,
  insertUsedNonce,
  type RequestToAdmit,
  updateKeptAnswer,
} from "./queries.ts";

/** A successful response as it was sent, and as it will be sent again for the same key. */
export type StoredResponse = { body: string; replayed: boolean };

/** Why a request can't go on. It is a value, because in a batch it concerns one call alone. */
export type RequestConflict = StoredResponse | "nonce-used" | "key-reused" | "key-held";

/** No subaccount uses all connections of a database's pool. */
const turnsOf = new WeakMap<Db["pool"], Turns>();

function takeTurn({ pool, place }: Db, { subaccountId }: Caller): Promise<EndTurn> {
  let line = turnsOf.get(pool);
  if (!line) {
    const { transactionsAtOnce, transactionsWaitingMax: waitingMax } = limits;
    line = turns({ atOnce: shareOf(transactionsAtOnce, place), waitingMax });
    turnsOf.set(pool, line);
  }
  return line.take(subaccountId);
}

/**
 * Runs `work` in one transaction, once for each idempotency key, and responds with its result. When it throws,
 * nothing is stored: a refusal that changed nothing may have another outcome next time.
 */
export async function once(
  db: Db,
  caller: Caller,
  work: (tx: Tx) => Promise<object>,
  options: OnceOptions = {},
): Promise<StoredResponse> {
  const { encrypt, decrypt } = answerSealOf(options);
  const identity = answerIdentity(caller.subaccountId, caller.idempotency?.key);
  const attempt = async () => {
    const endTurn = await takeTurn(db, caller);
    const done = tracedFor(db, caller).transaction(async (tx): Promise<RequestConflict> => {
      const [conflict] = await admit(tx, [{ caller, answer: "" }]);
      if (conflict) return conflict;
      const body = JSON.stringify(await work(tx));
      if (caller.idempotency) {
        const sealed = await encrypt(tx, body, identity);
        await updateKeptAnswer(tx, keyOf(caller), sealed?.toString("base64") ?? body);
      }
      return { body, replayed: false };
    });
    return done.finally(endTurn);
  };
  const { body, replayed } = await respondOnce(attempt);
  // A response in the clear is JSON.
  const isSealed = replayed && !body.startsWith("{");
  return { body: isSealed ? await decrypt(Buffer.from(body, "base64"), identity) : body, replayed };
}

/** For a write whose response is never stored: uses up its nonce, or refuses it. It takes no idempotency key. */
export async function useNonceOnce(db: Db, caller: Caller): Promise<void> {
  if (!caller.nonce) return;
  const request = { caller: { ...caller, idempotency: undefined }, answer: "" };
  const [conflict] = await tracedFor(db, caller).transaction((tx) => admit(tx, [request]));
  if (conflict) responseOrRefuse(conflict);
}

/** Encrypts a stored response. Undefined: it is stored in the clear. */
export type AnswerSeal = {
  encrypt(tx: Tx, body: string, identity: string): Promise<Buffer | undefined>;
  decrypt(sealed: Buffer, identity: string): Promise<string>;
};

type OnceOptions = {
  /** Encrypts the stored response with a data key, where it holds a secret. */
  seal?: Seal;
  /** Encrypts it in another way. */
  answers?: AnswerSeal;
};

export function answerIdentity(subaccountId: string, key: string | undefined): string {
  return `idempotency_key.answer:${subaccountId}:${key}`;
}

function answerSealOf({ seal, answers }: OnceOptions): AnswerSeal {
  return (
    answers ?? {
      encrypt: async (_, body, identity) => seal?.encrypt(body, identity),
      async decrypt(sealed, identity) {
        if (!seal) throw new Error("a response that was encrypted needs its key");
        return seal.decrypt(sealed, identity);
      },
    }
  );
}

/**
 * Responds with the outcome of the attempt. While another request holds the key, it tries again, until that takes too
 * long. It waits out here, where the wait takes no connection and no place in a batch.
 */
export async function respondOnce(
  attempt: () => Promise<RequestConflict>,
): Promise<StoredResponse> {
  const endMs = performance.now() + limits.idempotencyWaitMs;
  for (;;) {
    const outcome = await attempt();
    if (outcome !== "key-held" || performance.now() > endMs) return responseOrRefuse(outcome);
    await sleep(limits.idempotencyPauseMs * (0.5 + Math.random()));
  }
}

export function responseOrRefuse(outcome: RequestConflict): StoredResponse {
  if (outcome === "nonce-used") throw new Refusal("AUTH107");
  if (outcome === "key-reused") throw new Refusal("IDEM102");
  if (outcome === "key-held") throw new Refusal("IDEM103", { headers: { "retry-after": "1" } });
  return outcome;
}

/**
 * The protocol for calls that share a transaction: admits them, lets `decide` decide on those that are admitted, and
 * releases the keys of those that it refused. One outcome for each call, in their order. Of several calls under one key,
 * the others come after the first has its response.
 */
export async function onceInBatch<Call extends { caller: Caller; answer: string }, Refused>(
  tx: Tx,
  calls: readonly Call[],
  decide: (admitted: readonly Call[]) => Promise<(StoredResponse | Refused)[]>,
): Promise<(RequestConflict | Refused)[]> {
  const outcomes = new Map<Call, RequestConflict | Refused>();
  for (let left = calls; left.length > 0; ) {
    const { first, repeated } = splitByKey(left);
    const conflicts = await admit(tx, first);
    const admitted: Call[] = [];
    for (const [index, call] of first.entries()) {
      const conflict = conflicts[index];
      if (conflict) outcomes.set(call, conflict);
      else admitted.push(call);
    }
    const decided = admitted.length > 0 ? await decide(admitted) : [];
    const refused: Caller[] = [];
    for (const [index, call] of admitted.entries()) {
      const outcome = decided[index] as StoredResponse | Refused;
      outcomes.set(call, outcome);
      if (!call.caller.idempotency) continue;
      if (!isResponse(outcome)) refused.push(call.caller);
      // The decision has put more into the response than was known before.
      else if (outcome.body !== call.answer) {
        await updateKeptAnswer(tx, keyOf(call.caller), outcome.body);
      }
    }
    // A refusal is not stored, so that the key can be used again.
    if (refused.length > 0) await deleteKeptAnswers(tx, refused.map(keyOf));
    left = repeated;
  }
  return calls.map((call) => outcomes.get(call) as RequestConflict | Refused);
}

function isResponse(outcome: unknown): outcome is StoredResponse {
  return typeof outcome === "object" && outcome !== null && "body" in outcome;
}

/** One for each request, in their order: its conflict, or undefined when it may go on. No two may share a key. */
async function admit(
  tx: Tx,
  requests: readonly { caller: Caller; answer: string }[],
): Promise<(RequestConflict | undefined)[]> {
  const withKey = requests.filter(({ caller }) => caller.nonce || caller.idempotency);
  if (withKey.length === 0) return requests.map(() => undefined);
  const nowMs = Date.now();
  const rows = withKey.map(({ caller, answer }) => toRow(caller, answer, nowMs));
  const admitted = await admitRequests(tx, rows, nowMs);
  const outcomeOf = ({ requestId }: Caller) =>
    admitted.get(requestId) ?? { held: false, fresh: true, kept: true };
  const isKnown = (caller: Caller) => {
    const { held, fresh, kept } = outcomeOf(caller);
    return !held && fresh && !kept;
  };
  const known = requests.map(({ caller }) => caller).filter(isKnown);
  const answers = known.length > 0 ? await findStoredResponses(tx, known) : [];
  return requests.map(({ caller }) => {
    const { held, fresh } = outcomeOf(caller);
    if (held) return "key-held";
    if (!fresh) return "nonce-used";
    return isKnown(caller) ? answers.shift() : undefined;
  });
}

/** For requests whose keys are known: the stored response, or that the key belongs to another request. */
export async function findStoredResponses(
  db: Runner,
  callers: readonly Caller[],
): Promise<RequestConflict[]> {
  const answers = await findKeptAnswers(db, callers.map(keyOf));
  return callers.map(({ idempotency }, index) => {
    const stored = answers[index];
    if (!stored) throw new Error("a known key must have a stored response");
    const isSame = stored.request_hash === idempotency?.requestHash;
    return isSame ? { body: stored.answer, replayed: true } : "key-reused";
  });
}

/**
 * Uses up the nonce of a write that was refused: a recorded copy of it can't succeed later, when the reason for the
 * refusal is gone. A write with the response 429 or 503 was not examined, so its nonce stays valid.
 */
export async function useNonceOfRefused(db: Db, caller: Caller): Promise<void> {
  const { subaccountId, key, requestId, nonce } = caller;
  if (nonce)
    await insertUsedNonce(tracedFor(db, caller), { subaccountId, key, requestId, ...nonce });
}

function keyOf({ subaccountId, idempotency }: Caller) {
  return { subaccountId, key: idempotency?.key as string };
}

function toRow(caller: Caller, answer: string, nowMs: number): RequestToAdmit {
  return {
    subaccount_id: caller.subaccountId,
    request_id: caller.requestId,
    api_key: caller.key,
    nonce: caller.nonce?.value,
    nonce_expires_at_ms: caller.nonce?.expiresAtMs,
    idempotency_key: caller.idempotency?.key,
    request_hash: caller.idempotency?.requestHash,
    answer,
    expires_at_ms: nowMs + limits.idempotencyKeptMs,
  };
}

/** The first call under each key, and the calls that repeat a key. */
function splitByKey<Call extends { caller: Caller }>(calls: readonly Call[]) {
  const seen = new Set<string>();
  const first: Call[] = [];
  const repeated: Call[] = [];
  for (const call of calls) {
    const { subaccountId, idempotency } = call.caller;
    const name = idempotency && `${subaccountId} ${idempotency.key}`;
    (name && seen.has(name) ? repeated : first).push(call);
    if (name) seen.add(name);
  }
  return { first, repeated };
}
