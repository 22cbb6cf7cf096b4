// What other nouns use of idempotency. The rest of this folder is private to it.

export {
  type AnswerSeal,
  answerIdentity,
  findStoredResponses,
  once,
  onceInBatch,
  type RequestConflict,
  respondOnce,
  type StoredResponse,
  useNonceOfRefused,
  useNonceOnce,
} from "./once.ts";
export {
  type Admitted,
  deleteExpiredAnswers,
  deleteExpiredNonces,
  findKeptAnswers,
  insertNoncesSql,
  keyState,
} from "./queries.ts";
