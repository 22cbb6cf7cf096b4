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
export { findReceiverDetail, listLines, nameKey } from "./receivers/queries.ts";
export {
  AccountFormQuery,
  AccountLine,
  CreatedByUser,
  ErasureRequested,
  NewConsoleReceiver,
  PersonLinkShown,
  ReceiverDetail,
  ReceiverDisable,
  ReceiverEdit,
  ReceiverForm,
  ReceiverLine,
  ReceiverStates,
  ReceiversExport,
  ReceiversFilter,
  ReceiversPage,
  ReportLine,
  Reveal,
  Revealed,
} from "./receivers/schema.ts";
export { actorInWords, type Names } from "./receivers/who.ts";
export {
  hasFailedCheck,
  isOverride,
  type RejectReason,
  rejectReasons,
  urgencyOf,
  versionOf,
} from "./review.ts";
export {
  Approve,
  Ask,
  Asked,
  Claimed,
  caseFields,
  caseKinds,
  caseVersion,
  Decided,
  Duplicate,
  Foreseen,
  NeedMore,
  type NoteAudience,
  named,
  orNull,
  Reject,
  ReviewCase,
  ReviewCheck,
  ReviewLine,
  ReviewNote,
  ReviewsCount,
  ReviewsFilter,
  ReviewsPage,
  reasonText,
  Time,
} from "./schema.ts";
