// What other nouns use of reviews. The rest of this folder is private to it.

export { type CaseRow, deleteClaim, findCase, findClaim, listVotes } from "./case-queries.ts";
export { claimReview, releaseReview, requireUnclaimed, skipReview } from "./claims.ts";
export { approveIdentity, askForMore, rejectIdentity } from "./decide-identity.ts";
export { caseVersion, reasonText } from "./fields.ts";
export { makersOfHit } from "./hit-makers.ts";
export { isOverride, versionOf } from "./identity.ts";
export {
  insertReviewNote,
  listReviewNotes,
  noteAudiences,
  type ReviewNoteRow,
} from "./note-queries.ts";
export { findRisk } from "./risk.ts";
export { countUnrecorded } from "./subject-queries.ts";
export { startScreeningWorker } from "./worker.ts";
