// What other nouns use of sanctions-lists. The rest of this folder is private to it.

export { approveList, declineList, embargoCountry, endEmbargo, importList } from "./acts.ts";
export { decisionNote, expireVersion } from "./decide.ts";
export { listEmbargoes } from "./embargo.ts";
export type { ImportOutcome } from "./import.ts";
export { listVersions, type VersionRow, versionStatuses } from "./version-queries.ts";
export { startListWorker } from "./worker.ts";
