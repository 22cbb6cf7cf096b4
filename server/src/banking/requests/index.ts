// What other nouns use of requests. The rest of this folder is private to it.

export {
  declineBankRequest,
  expireBankRequest,
  findOwnRequest,
  ofBankRequest,
  permissionOfBankRequest,
} from "./acts.ts";
export {
  type BankDecision,
  decideOrRequest,
  decisionReason,
  noteOf,
  type StoredDecision,
  summaryOf,
} from "./decide.ts";
export {
  type BankRequestRow,
  type BankRequestSummary,
  countWaitingBankRequests,
  listWaitingBankRequests,
  updateBankRequestDecided,
  updateBankRequestSummary,
  waitsForSecondUser,
} from "./queries.ts";
export {
  type DecidedMoney,
  lockToConfirm,
  readRequestBytes,
  readRequestInput,
  requestChunkIdentity,
  requestInputIdentity,
  storeBankRequest,
  summaryHashOf,
} from "./request.ts";
