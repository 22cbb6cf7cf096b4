// What other nouns use of files. The rest of this folder is private to it.

export {
  approveFile,
  discardFile,
  downloadFile,
  freezeBank,
  recordFileSent,
  sendFile,
  viewFile,
} from "./acts.ts";
export { batchChunkIdentity, readFile } from "./batch-file.ts";
export {
  type BankBatchRow,
  changeBatch,
  findBatch,
  listBatches,
  lockBatch,
} from "./batch-queries.ts";
export { freezeBatches } from "./freeze.ts";
export { hasPayoutsToFreeze } from "./freeze-queries.ts";
export { accountKey, comparableAccount, comparableText, matchKey, shortHash } from "./match-key.ts";
export {
  approvalsMissing,
  expireDiscard,
  mayHaveLeft,
  notAtTheBank,
} from "./release.ts";
export { connectionsSharing } from "./same-account.ts";
export { type SendParts, sendDue } from "./send.ts";
export { type SendFailure, sendFailureOf, sendFailures } from "./send-failures.ts";
export { findSends, nearestCutoffMs, type SendRow } from "./send-queries.ts";
export { listPayoutsToSettle } from "./settle-queries.ts";
export {
  type BatchMoveName,
  type BatchStatus,
  batchMoves,
  batchStatuses,
  canMove,
  openStatuses,
} from "./states.ts";
