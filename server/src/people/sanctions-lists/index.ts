// What other nouns use of sanctions-lists. The rest of this folder is private to it.

export { approveVersion, decisionNote, declineVersion, expireVersion } from "./decide.ts";
export { addEmbargo, listEmbargoes, removeEmbargo } from "./embargo.ts";
export { type ImportOutcome, importNote, importVersion } from "./import.ts";
export { listVersions, type VersionRow, versionStatuses } from "./version-queries.ts";
export { startListWorker } from "./worker.ts";
