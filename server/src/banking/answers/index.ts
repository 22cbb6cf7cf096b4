// What other nouns use of answers. The rest of this folder is private to it.

export { bookCompany, type CompanyBooking } from "./company.ts";
export { applyBatchReports } from "./inbound-batch.ts";
export { connectionsCalled, findOwner } from "./inbound-connection.ts";
export { applyPage, type InboundRun } from "./inbound-page.ts";
export {
  avoidScans,
  findInboundFile,
  findSentByPayout,
  type InboundFileRow,
  insertInboundChunk,
  insertInboundFile,
  insertInboundLines,
  isAppliedBefore,
  listInboundFiles,
  lockPayouts,
  type NewInboundLine,
  setInboundCounts,
} from "./inbound-queries.ts";
export { type InboundSum, newInboundSums } from "./inbound-sums.ts";
export { postInboundTransfers } from "./inbound-transfers.ts";
export { isAtBank, recordRecallOutcome, requestRecall } from "./recall.ts";
export {
  listRecalls,
  listRecallsOfPayout,
  type RecallOutcome,
  type RecallRow,
  recallOutcomes,
} from "./recall-queries.ts";
export { internalSubaccountIds, suspendLines } from "./suspend.ts";
export {
  closeSuspense,
  type Deciding,
  fundBySuspense,
  giveSuspenseToCompany,
  lockSuspenseItem,
  matchSuspense,
  mergeNotified,
  returnSuspense,
  splitSuspense,
  undoSuspense,
} from "./suspense.ts";
export { candidatesOf, fundingCandidatesOf } from "./suspense-candidates.ts";
export {
  countSuspense,
  findSuspense,
  listCandidates,
  listSuspense,
  listSuspenseActs,
  type SuspenseRow,
} from "./suspense-queries.ts";
