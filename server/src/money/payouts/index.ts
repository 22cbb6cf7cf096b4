// What other nouns use of payouts. The rest of this folder is private to it.

export { areApprovalsMet } from "./approval.ts";
export {
  countWaitingPayouts,
  detailsBySql,
  findApprovalState,
  listWaitingPayouts,
  lockPayoutToDecide,
  sortWaitingPayouts,
  type WaitingPayout,
} from "./approval-queries.ts";
export {
  approvePayoutAct,
  declinePayoutAct,
  expirePayout,
  makersOf,
  type PayoutActParts,
  payoutFacts,
} from "./approve.ts";
export { readBatchRows } from "./batch-rows.ts";
export { movePayoutsAlike, postMoveTransfers } from "./bulk-move-queries.ts";
export { cancelPayout, cancelPayoutAct } from "./cancel.ts";
export {
  approveRequestAct,
  declineRequestAct,
  expireRequest,
  makersOfRequest,
  permissionOf,
  type RequestParts,
} from "./change-requests.ts";
export { findPayoutContexts } from "./context-queries.ts";
export {
  type CreatePayout,
  createPayoutsIn,
  type PayoutOutcome,
  type PayoutParts,
  payoutCreator,
  toPayoutCreation,
} from "./create.ts";
export { createBatch } from "./create-batch.ts";
export { deletePastDayTotals, destinationOf } from "./day-total-queries.ts";
export { routeOf, spentToday } from "./decide.ts";
export { fillCountsOfSubaccount } from "./fill-counts.ts";
export { toPayoutPage } from "./filter.ts";
export { type EndedHold, holdPayoutsOf, refusePayout, releasePayout } from "./hold.ts";
export {
  isInScreeningReview,
  listHolds,
  lockUnsentPayouts,
  type PayoutHold,
} from "./hold-queries.ts";
export type { HoldReason } from "./hold-reason.ts";
export { startHoldWorker } from "./hold-worker.ts";
export { hasThreshold, limitsOnWire, listPayoutLimits } from "./limit-queries.ts";
export { setLimitsAct } from "./limits.ts";
export {
  type BatchRow,
  findPayouts,
  listPayoutHistory,
  listPayouts,
  type PayoutHistoryRow,
  type PayoutKey,
  presentPayout,
  sumBatch,
} from "./list-queries.ts";
export {
  createPayoutAct,
  type MakeParts,
  PayoutToPreview,
  retryPayout,
  retryPayoutAct,
} from "./make.ts";
export { type MoveRequest, toPayoutMove } from "./move.ts";
export { movePayouts, movePayoutsOfMany, type PayoutMove } from "./move-queries.ts";
export {
  type ApprovalReason,
  approvalRules,
  dayOf,
  defaultThresholds,
  noBalance,
  type OpenRoute,
  type PayoutContext,
  type PayoutRequest,
  refusalOf,
  toPayoutRequest,
} from "./payout.ts";
export type { PayoutCreation } from "./payout-row.ts";
export { previewPayout, validatePayout } from "./preview.ts";
export { ValidatedPayout } from "./preview-schema.ts";
export { codeOf, toPayoutRefusal } from "./problems.ts";
export { listPayoutBalances, type PayoutRow, payoutColumns } from "./queries.ts";
export { expireResolution, resolvePayoutAct } from "./resolve.ts";
export { findResolution, listResolutions, type WaitingResolution } from "./resolve-queries.ts";
export { approveRulesAct, declineRulesAct, proposeRulesAct } from "./rule-acts.ts";
export { listRuleMatches, type RuleMatchRow } from "./rule-match-queries.ts";
export {
  CreatedPayout,
  CreatedPayoutBatch,
  NewPayout,
  NewPayoutBatch,
  Payout,
  PayoutBatch,
  PayoutFilter,
  PayoutHistoryEntry,
  type Resolution,
  resolutions,
} from "./schema.ts";
export { findSetAside, listSetAside } from "./set-aside-queries.ts";
export { type SimulatedOutcome, simulatePayout } from "./simulate.ts";
export {
  type FeeKeepingMove,
  moves,
  type PayoutStatus,
  type Stage,
  stageNames,
  stages,
  stagesOf,
  statuses,
} from "./states.ts";
export { collectPayoutMetrics } from "./waiting.ts";
export { startPayoutWorker } from "./worker.ts";
