// What other nouns use of audit. The rest of this folder is private to it.

export {
  type Actor,
  commandActorName,
  isPerson,
  keyActor,
  provenName,
  provenNames,
  type UserActor,
  userActorName,
  withoutName,
} from "./actor.ts";
export { anchorText, appendAnchor, readAnchorFile, readAnchors } from "./anchors.ts";
export { audited } from "./audited.ts";
export type { ChainLink } from "./entry.ts";
export {
  type AuditFilter,
  type AuditOrder,
  listAuditActions,
  listAuditEntries,
  listNewestEntries,
} from "./list-queries.ts";
export { type AuditEntryRow, type ChainedEntry, findEnd } from "./queries.ts";
export { type AuditNote, recordAct } from "./record.ts";
export { redactEntries } from "./redact.ts";
export { listEntriesAbout, listEntriesBefore } from "./redact-queries.ts";
export { faultText, stateOfAudit, verifyAndRecord } from "./state.ts";
export { verifyAudit } from "./verify.ts";
export { runningVerification, type VerifyProgress, verifyNow } from "./verify-now.ts";
