// What a request changes, it changes once. A nonce is used up and an idempotency key is kept in the
// transaction of the write itself: all of it is committed, or nothing of it happened.

import { setTimeout as sleep } from "node:timers/promises";
import type { Caller } from "../caller.ts";
import type { Db, Runner, Tx } from "../db/connect.ts";
import { type EndTurn, type Turns, turns } from "../db/turns.ts";
import { limits } from "../limits.ts";
import { Refusal } from "../refusals/refusals.ts";
import type { Seal } from "../seal.ts";
import {
  admitRequests,
  deleteKeptAnswers,
  findKeptAnswers,
  insertUsedNonce,
  type RequestToAdmit,
  updateKeptAnswer,
} from "./queries.ts";

/** A successful answer as the bytes that were sent, and will be sent again for the same key. */
export type StoredResponse = { body: string; replayed: boolean };

/** Why a request may not go on; a value, because in a batch it concerns one call alone. */
export type RequestConflict = StoredResponse | "nonce-used" | "key-reused" | "key-held";

/** No subaccount uses all connections of a database's pool. */
const turnsOf = new WeakMap<Db["pool"], Turns>();

function takeTurn({ pool }: Db, { subaccountId }: Caller): Promise<EndTurn> {
  const known = turnsOf.get(pool);
  const { transactionsAtOnce: atOnce, transactionsWaitingMax: waitingMax } = limits;
  const line = known ?? turns({ atOnce, waitingMax });
  if (!known) turnsOf.set(pool, line);
  return line.take(subaccountId);
}

/**
 * Runs `work` in one transaction, once for each idempotency key, and answers with what it returned. When
 * it throws, nothing is kept: a refusal that changed nothing may have another outcome next time.
 */
export async function once(
  db: Db,
  caller: Caller,
  work: (tx: Tx) => Promise<object>,
  options: OnceOptions = {},
): Promise<StoredResponse> {
  const { close, open } = keeping(caller, options);
  const attempt = async () => {
    const endTurn = await takeTurn(db, caller);
    const done = db.transaction(async (tx): Promise<RequestConflict> => {
      const [hindrance] = await admit(tx, [{ caller, answer: "" }]);
      if (hindrance) return hindrance;
      const body = JSON.stringify(await work(tx));
      if (caller.idempotency) await updateKeptAnswer(tx, keyOf(caller), close(body));
      return { body, replayed: false };
    });
    return done.finally(endTurn);
  };
  const { body, replayed } = responseOrRefuse(await retryWhileLocked(attempt));
  return { body: replayed ? open(body) : body, replayed };
}

export type OnceOptions = {
  /** The answer holds something that must not lie open in the database: it is kept sealed. */
  seal?: Seal;
};

function keeping({ subaccountId, idempotency }: Caller, { seal }: OnceOptions) {
  const identity = `idempotency_key.answer:${subaccountId}:${idempotency?.key}`;
  return {
    close: (body: string) => seal?.encrypt(body, identity).toString("base64") ?? body,
    open: (kept: string) => seal?.decrypt(Buffer.from(kept, "base64"), identity) ?? kept,
  };
}

/**
 * Tries until no other request holds the key, or until that takes too long. The wait is out here, where it
 * keeps no connection and no place in a batch from anybody.
 */
export async function retryWhileLocked<Outcome>(attempt: () => Promise<Outcome>): Promise<Outcome> {
  const endMs = performance.now() + limits.idempotencyWaitMs;
  for (;;) {
    const outcome = await attempt();
    if (outcome !== "key-held" || performance.now() > endMs) return outcome;
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
 * One for each request, in their order: what it is hindered by, or undefined when it may go on. No two of
 * them may have one idempotency key.
 */
export async function admit(
  tx: Tx,
  requests: readonly { caller: Caller; answer: string }[],
): Promise<(RequestConflict | undefined)[]> {
  const asking = requests.filter(({ caller }) => caller.nonce || caller.idempotency);
  if (asking.length === 0) return requests.map(() => undefined);
  const nowMs = Date.now();
  const rows = asking.map(({ caller, answer }) => toRow(caller, answer, nowMs));
  const admitted = await admitRequests(tx, rows, nowMs);
  const outcomeOf = ({ requestId }: Caller) =>
    admitted.get(requestId) ?? { held: false, fresh: true, kept: true };
  const isKnown = (caller: Caller) => {
    const { held, fresh, kept } = outcomeOf(caller);
    return !held && fresh && !kept;
  };
  const known = requests.map(({ caller }) => caller).filter(isKnown);
  const answers = known.length > 0 ? await findAnswers(tx, known) : [];
  return requests.map(({ caller }) => {
    const { held, fresh } = outcomeOf(caller);
    if (held) return "key-held";
    if (!fresh) return "nonce-used";
    return isKnown(caller) ? answers.shift() : undefined;
  });
}

/** One for each of the requests, whose keys are known: the answer of the first time, or that it was another. */
export async function findAnswers(
  db: Runner,
  callers: readonly Caller[],
): Promise<RequestConflict[]> {
  const answers = await findKeptAnswers(db, callers.map(keyOf));
  return callers.map(({ idempotency }, index) => {
    const kept = answers[index];
    if (!kept) throw new Error("a key that is known has an answer");
    const isSame = kept.request_hash === idempotency?.requestHash;
    return isSame ? { body: kept.answer, replayed: true } : "key-reused";
  });
}

/** Of requests that were refused: a refusal is not kept, and their keys may be used again. */
export async function releaseKeys(tx: Tx, callers: readonly Caller[]): Promise<void> {
  await deleteKeptAnswers(tx, callers.map(keyOf));
}

/**
 * A refused write is over: whoever saw it on its way can't send it again when the reason for the refusal is gone. A
 * write that is answered with 429 or 503 was not looked at, and its nonce stays good.
 */
export async function useNonceOfRefused(db: Db, caller: Caller): Promise<void> {
  const { subaccountId, key, requestId, nonce } = caller;
  if (nonce) await insertUsedNonce(db, { subaccountId, key, requestId, ...nonce });
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

/** Of several calls under one key, the first; the others have to come after it has its answer. */
export function splitByKey<Call extends { caller: Caller }>(calls: readonly Call[]) {
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
