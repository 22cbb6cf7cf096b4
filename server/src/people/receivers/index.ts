// What other nouns use of receivers. The rest of this folder is private to it.

export {
  activateReceiver,
  createReceiver,
  deactivateReceiver,
  editReceiver,
  type ReceiverActParts,
  restartIdentityCheck,
} from "./acts.ts";
export {
  type Changing,
  changeReceiver,
  disableReceiver,
  lockOrRefuse,
  moved,
  restartKyc,
} from "./change.ts";
export {
  type CreateReceiver,
  createReceivers,
  type ReceiverCreation,
  type ReceiverOutcome,
  receiverCreator,
  toReceiverCreation,
} from "./create.ts";
export { toPageRequest, wantedStates } from "./filter.ts";
export { type FindReceiver, receiverFinder } from "./find.ts";
export { insertReceivers, type ReceiverToInsert } from "./insert-queries.ts";
export { askStep, statesOf, toReceiverMove } from "./move.ts";
export { personAnswers } from "./person-answers.ts";
export { wronglyEmpty } from "./places.ts";
export {
  findPersonKey,
  findReceivers,
  findTakenEmails,
  listReceivers,
  nameKey,
  presentReceiver,
  type ReceiverKey,
  type ReceiverRow,
  receiverColumns,
  type StoredReceiver,
} from "./queries.ts";
export {
  australianStates,
  emailKey,
  type KycStatus,
  type KycStep,
  kycStatuses,
  type ReceiverStatus,
  receiverRules,
  receiverStatuses,
} from "./receiver.ts";
export {
  CreatedReceiver,
  DeletedReceiver,
  HistoryEntry,
  HistoryFilter,
  KycLink,
  KycRestart,
  kycCode,
  NewKycLink,
  NewReceiver,
  Receiver,
  ReceiverChange,
  ReceiverFilter,
} from "./schema.ts";
export {
  type HistoryRow,
  type LockedReceiver,
  listHistory,
  listReceiverMakers,
  lockReceiver,
  type Move,
  moveReceivers,
} from "./state-queries.ts";
export { isSame, nextStates, type States, type Transition } from "./states.ts";
