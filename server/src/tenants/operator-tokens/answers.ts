// Idempotency under /operator/v1: a request with an Idempotency-Key is done once for each token. It claims its key before
// its work, marks it as done in the transaction of the change, and stores the response after it. A claim whose process
// has died can be taken over; if the change was made and only the response was lost, the next request is told so.

import type { Db, Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import {
  type AnswerKey,
  claimKey,
  deleteAnswer,
  findAnswer,
  updateAnswer,
  updateAnswerDone,
} from "./answer-queries.ts";

type Asked = AnswerKey & { requestHash: string };
type Parts = { db: Db; seal: Seal };

export type StoredAnswer = { status: number; body: string; type: string };
export type Claim = {
  /** In the transaction of the change. Refuses when another request has taken over. */
  markDone(tx: Tx): Promise<void>;
  store(answer: StoredAnswer): Promise<void>;
  /** It was refused, so the key can be used again. */
  release(): Promise<void>;
};

export function operatorAnswerIdentity(tokenId: string, key: string): string {
  return `operator_answer.answer:${tokenId}:${key}`;
}

/** The stored response to an earlier request with the key, or the claim of this one. */
export async function claimAnswer(
  { db, seal }: Parts,
  { tokenId, key, requestHash, requestId }: Asked,
  nowMs: number,
): Promise<StoredAnswer | Claim> {
  const identity = operatorAnswerIdentity(tokenId, key);
  const mine = { tokenId, key, requestId };
  if (await claimKey(db, mine, requestHash, nowMs)) {
    return {
      async markDone(tx) {
        if (!(await updateAnswerDone(tx, mine))) throw held();
      },
      async store(answer) {
        await updateAnswer(db, mine, seal.encrypt(JSON.stringify(answer), identity));
      },
      async release() {
        await deleteAnswer(db, mine);
      },
    };
  }
  const other = await findAnswer(db, mine);
  if (!other) throw held();
  if (other.request_hash !== requestHash) throw new Refusal("IDEM102");
  if (other.answer) return JSON.parse(seal.decrypt(other.answer, identity)) as StoredAnswer;
  // Its response may be stored in this moment.
  const isLost = other.is_done && other.claimed_at_ms < nowMs - limits.operatorClaimMs;
  throw isLost ? new Refusal("OPER106") : held();
}

const held = () => new Refusal("IDEM103", { headers: { "retry-after": "1" } });
