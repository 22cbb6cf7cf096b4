// What other nouns use of review-list. The rest of this folder is private to it.

export { countHitQueue } from "./case-queue-queries.ts";
export { readReviewCursor } from "./cursor.ts";
export { countReviews, readQueue } from "./list.ts";
export { firstOfAll } from "./queries.ts";
export { type ReceiverScan, receiverScanOf } from "./receivers/filter.ts";
export {
  codedStates,
  lastPayoutOf,
  presentReceiverRow,
  receiverNameOf,
  toHistoryLine,
  toReportLine,
} from "./receivers/present.ts";
export { findReceiverDetail, listLines } from "./receivers/queries.ts";
export {
  AccountFormQuery,
  AccountLine,
  CreatedByUser,
  ErasureRequested,
  PersonLinkShown,
  ReceiverDetail,
  ReceiverForm,
  ReceiverLine,
  ReceiverStates,
  ReceiversExport,
  ReceiversFilter,
  ReceiversPage,
  ReportLine,
  Revealed,
} from "./receivers/schema.ts";
export { actorInWords, type Names } from "./receivers/who.ts";
export { urgencyOf } from "./review.ts";
export {
  Asked,
  Claimed,
  caseFields,
  caseKinds,
  Decided,
  Duplicate,
  Foreseen,
  named,
  orNull,
  ReviewCase,
  ReviewCheck,
  ReviewLine,
  ReviewNote,
  ReviewsCount,
  ReviewsFilter,
  Time,
} from "./schema.ts";
