// The SQL of responses that are kept for their Idempotency-Key.

import { type Db, type Runner, statement, type Tx } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";

export type AnswerKey = { tokenId: string; key: string; requestId: string };

type AnswerRow = {
  request_hash: string;
  is_done: boolean;
  claimed_at_ms: number;
  answer: Buffer | null;
};

const claim = statement<{ key: string }>(
  "operator-answer-claim",
  // Its own row: it is new, it has expired, or the process of the claim before has died and nothing was done.
  `insert into operator_answer as a (token_id, key, request_hash, request_id, claimed_at_ms, expires_at_ms)
   values ($1, $2, $3, $4, $5::bigint, $5::bigint + ${limits.operatorAnswerMs})
   on conflict (token_id, key) do update
   set request_id = excluded.request_id, request_hash = excluded.request_hash, is_done = false, answer = null,
       claimed_at_ms = excluded.claimed_at_ms, expires_at_ms = excluded.expires_at_ms
   where a.expires_at_ms <= $5::bigint
      or (a.request_hash = $3 and a.answer is null and not a.is_done and a.claimed_at_ms < $5::bigint - ${limits.operatorClaimMs})
   returning key`,
);
const find = statement<AnswerRow>(
  "operator-answer-find",
  "select request_hash, is_done, claimed_at_ms::float8, answer from operator_answer where token_id = $1 and key = $2",
);
const markDone = statement<{ key: string }>(
  "operator-answer-done",
  `update operator_answer set is_done = true where token_id = $1 and key = $2 and request_id = $3
   returning key`,
);
const store = statement<never>(
  "operator-answer-store",
  `update operator_answer set is_done = true, answer = $4 where token_id = $1 and key = $2 and request_id = $3`,
);
const release = statement<never>(
  "operator-answer-release",
  "delete from operator_answer where token_id = $1 and key = $2 and request_id = $3",
);
const deleteExpired = statement<never>(
  "operator-answers-expired",
  "delete from operator_answer where expires_at_ms <= $1",
);

const valuesOf = ({ tokenId, key, requestId }: AnswerKey) => [tokenId, key, requestId];

/** Whether the request has the key now. */
export async function claimKey(
  db: Db,
  { tokenId, key, requestId }: AnswerKey,
  requestHash: string,
  nowMs: number,
): Promise<boolean> {
  return (await db.run(claim, [tokenId, key, requestHash, requestId, nowMs])).length > 0;
}

export async function findAnswer(
  db: Db,
  { tokenId, key }: AnswerKey,
): Promise<AnswerRow | undefined> {
  return (await db.run(find, [tokenId, key]))[0];
}

/** False: another request has taken over. */
export async function updateAnswerDone(tx: Tx, own: AnswerKey): Promise<boolean> {
  return (await tx.run(markDone, valuesOf(own))).length > 0;
}

export async function updateAnswer(db: Db, own: AnswerKey, answer: Buffer): Promise<void> {
  await db.run(store, [...valuesOf(own), answer]);
}

export async function deleteAnswer(db: Db, own: AnswerKey): Promise<void> {
  await db.run(release, valuesOf(own));
}

export async function deleteExpiredOperatorAnswers(db: Runner, nowMs: number): Promise<void> {
  await db.run(deleteExpired, [nowMs]);
}
