// What other nouns use of requests. The rest of this folder is private to it.

export {
  type BankDecision,
  decideOrRequest,
  decisionReason,
  noteOf,
  type StoredDecision,
  summaryOf,
} from "./decide.ts";
export {
  type BankRequestKind,
  type BankRequestRow,
  type BankRequestStatus,
  type BankRequestSummary,
  countWaitingBankRequests,
  findBankRequest,
  listWaitingBankRequests,
  updateBankRequestDecided,
  updateBankRequestSummary,
  waitsForSecondUser,
} from "./queries.ts";
export {
  type DecidedMoney,
  lockToConfirm,
  lockWaitingBankRequest,
  readRequestBytes,
  readRequestInput,
  requestChunkIdentity,
  requestInputIdentity,
  storeBankRequest,
  summaryHashOf,
} from "./request.ts";
