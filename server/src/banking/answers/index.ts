// What other nouns use of answers. The rest of this folder is private to it.

export {
  fundBySuspenseAct,
  matchSuspenseAct,
  recallPayout,
  recordRecallOutcomeAct,
  simpleSuspenseActs,
  splitSuspenseAct,
} from "./acts.ts";
export { bookCompany, type CompanyBooking } from "./company.ts";
export { applyBatchReports } from "./inbound-batch.ts";
export { connectionsCalled, findOwner } from "./inbound-connection.ts";
export { applyPage, type InboundRun } from "./inbound-page.ts";
export {
  avoidScans,
  findInboundFile,
  findSentByPayout,
  type InboundFileRow,
  inboundFileColumns,
  insertInboundChunk,
  insertInboundFile,
  insertInboundLines,
  isAppliedBefore,
  listInboundFiles,
  type NewInboundLine,
  setInboundCounts,
} from "./inbound-queries.ts";
export { type InboundSum, newInboundSums } from "./inbound-sums.ts";
export { postInboundTransfers } from "./inbound-transfers.ts";
export { isAtBank } from "./recall.ts";
export {
  listRecalls,
  listRecallsOfPayout,
  type RecallOutcome,
  type RecallRow,
  recallOutcomes,
} from "./recall-queries.ts";
export { internalSubaccountIds, suspendLines } from "./suspend.ts";
export { mergeNotified } from "./suspense.ts";
export { type CandidateWords, candidatesOf, fundingCandidatesOf } from "./suspense-candidates.ts";
export { suspenseDecisions } from "./suspense-decision.ts";
export {
  countSuspense,
  findSuspense,
  listCandidates,
  listSuspense,
  listSuspenseActs,
  type NamedSuspense,
} from "./suspense-queries.ts";
