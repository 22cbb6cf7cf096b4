// What other nouns use of four-eyes. The rest of this folder is private to it.

export {
  type ChangeFields,
  type ChangeRequest,
  type ChangeRequestKind,
  type ChangeRequestStatus,
  changeRequestKinds,
  countWaitingRequests,
  findWaitingRequest,
  insertChangeRequest,
  listWaitingRequests,
  lockChangeRequest,
  updateChangeRequestDecided,
  type WaitingRequest,
  withdrawChangeRequests,
} from "./change-request-queries.ts";
export { conflictsOf, isOneUserEnough, requireOtherUser } from "./four-eyes.ts";
export { type Conflict, insertSecretSeen } from "./four-eyes-queries.ts";
