// What a request changes, it changes once. A nonce is used up and an idempotency key is kept in the
// transaction of the write itself: all of it is committed, or nothing of it happened.

import { setTimeout as sleep } from "node:timers/promises";
import type { Db, Tx } from "../db/connect.ts";
import { limits } from "../limits.ts";
import { Refusal } from "../refusals.ts";
import type { Seal } from "../seal.ts";
import type { Caller } from "../subaccounts/subaccount.ts";
import {
  admitRequest,
  deleteKeptAnswers,
  findKeptAnswers,
  type RequestToAdmit,
  updateKeptAnswer,
} from "./queries.ts";

/** A successful answer as the bytes that were sent, and will be sent again for the same key. */
export type Written = { body: string; replayed: boolean };

/** Why a request may not go on; a value, because in a batch it concerns one call alone. */
export type Hindrance = Written | "nonce-used" | "key-reused" | "key-held";

/**
 * Runs `work` in one transaction, once for each idempotency key, and answers with what it returned. When
 * it throws, nothing is kept: a refusal that changed nothing may have another outcome next time.
 */
export async function once(
  db: Db,
  caller: Caller,
  work: (tx: Tx) => Promise<object>,
  options: OnceOptions = {},
): Promise<Written> {
  const { close, open } = keeping(caller, options);
  const attempt = () =>
    db.transaction(async (tx): Promise<Hindrance> => {
      const hindrance = await admit(tx, caller);
      if (hindrance) return hindrance;
      const body = JSON.stringify(await work(tx));
      if (caller.idempotency) await updateKeptAnswer(tx, keyOf(caller), close(body));
      return { body, replayed: false };
    });
  const { body, replayed } = settled(await untilFree(attempt));
  return { body: replayed ? open(body) : body, replayed };
}

export type OnceOptions = {
  /** The answer holds something that must not lie open in the database: it is kept sealed. */
  seal?: Seal;
};

function keeping({ subaccountId, idempotency }: Caller, { seal }: OnceOptions) {
  const identity = `idempotency_key.answer:${subaccountId}:${idempotency?.key}`;
  return {
    close: (body: string) => seal?.close(body, identity).toString("base64") ?? body,
    open: (kept: string) => seal?.open(Buffer.from(kept, "base64"), identity) ?? kept,
  };
}

/**
 * Tries until no other request holds the key, or until that takes too long. The wait is out here, where it
 * keeps no connection and no place in a batch from anybody.
 */
export async function untilFree<Outcome>(attempt: () => Promise<Outcome>): Promise<Outcome> {
  const endMs = performance.now() + limits.idempotencyWaitMs;
  for (;;) {
    const outcome = await attempt();
    if (outcome !== "key-held" || performance.now() > endMs) return outcome;
    await sleep(limits.idempotencyPauseMs * (0.5 + Math.random()));
  }
}

export function settled(outcome: Hindrance): Written {
  if (outcome === "nonce-used") throw new Refusal("AUTH107");
  if (outcome === "key-reused") throw new Refusal("IDEM102");
  if (outcome === "key-held") throw new Refusal("IDEM103", { headers: { "retry-after": "1" } });
  return outcome;
}

/** What hinders a request, if anything: then it may not go on. */
async function admit(tx: Tx, caller: Caller): Promise<Hindrance | undefined> {
  if (!caller.nonce && !caller.idempotency) return undefined;
  const { held, fresh, kept } = await admitRequest(tx, toRow(caller), Date.now());
  if (held) return "key-held";
  if (!fresh) return "nonce-used";
  return kept ? undefined : (await findAnswers(tx, [caller]))[0];
}

/** One for each of the requests, whose keys are known: the answer of the first time, or that it was another. */
export async function findAnswers(tx: Tx, callers: readonly Caller[]): Promise<Hindrance[]> {
  const answers = await findKeptAnswers(tx, callers.map(keyOf));
  return callers.map(({ idempotency }, index) => {
    const kept = answers[index];
    if (!kept) throw new Error("a key that is known has an answer");
    const isSame = kept.request_hash === idempotency?.requestHash;
    return isSame ? { body: kept.answer, replayed: true } : "key-reused";
  });
}

/** Of requests that were refused: a refusal is not kept, and their keys may be used again. */
export async function giveBack(tx: Tx, callers: readonly Caller[]): Promise<void> {
  await deleteKeptAnswers(tx, callers.map(keyOf));
}

function keyOf({ subaccountId, idempotency }: Caller) {
  return { subaccountId, key: idempotency?.key as string };
}

function toRow(caller: Caller): RequestToAdmit {
  return {
    subaccount_id: caller.subaccountId,
    request_id: caller.requestId,
    api_key: caller.key,
    nonce: caller.nonce?.value,
    nonce_expires_at_ms: caller.nonce?.expiresAtMs,
    idempotency_key: caller.idempotency?.key,
    request_hash: caller.idempotency?.requestHash,
    expires_at_ms: Date.now() + limits.idempotencyKeptMs,
  };
}
