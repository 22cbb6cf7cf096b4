// What other nouns use of sanctions-lists. The rest of this folder is private to it.

export { approveList, declineList, embargoCountry, endEmbargo, importList } from "./acts.ts";
export { ageMsOf, isOld } from "./age.ts";
export { decisionNote, expireVersion, listFolderActor } from "./decide.ts";
export { changeKinds, type EntryChange, listChanges } from "./difference-queries.ts";
export { isCalendarDay, listEmbargoes } from "./embargo.ts";
export { type ImportOutcome, reasonToWait } from "./import.ts";
export {
  findVersion,
  listVersions,
  listVersionsBefore,
  type VersionRow,
  versionStatuses,
} from "./version-queries.ts";
export { startListWorker } from "./worker.ts";
