// What other nouns use of screening. The rest of this folder is private to it.

export {
  type HitKey,
  type HitStatus,
  hitStatuses,
  type Subject,
  subjectKinds,
} from "./hit.ts";
export {
  endHits,
  findHit,
  firstHitPlace,
  type HitRow,
  listHitsOfReceiver,
  listOpenHits,
  lockHit,
  oldestOpenHitMs,
  updateFirstSame,
  updateHitDecided,
} from "./hit-queries.ts";
export {
  firstRecordGroup,
  firstRecordPlace,
  hitRows,
  insertRecords,
  insertScreeningSql,
  listGroupsBehind,
  lockRecords,
  type OpenedHit,
  openHits,
  type RecordGroup,
  type RecordKey,
  type RecordPlace,
  raiseRecords,
  type Screened,
} from "./record-queries.ts";
export {
  type HoldPayouts,
  type LoadedSet,
  loadSet,
  noScreening,
  type RunningScreener,
  type Screener,
  screenAndWrite,
  screenerOf,
  startScreener,
} from "./screener.ts";
export { buildScreeningIndex, type ScreeningIndex } from "./screening-index.ts";
export { openEvidence } from "./sealed-evidence.ts";
export { currentSetId, loadChangedEntries, screeningSetChannel } from "./set-queries.ts";
export { countRecordsBehind, listVersionStatus } from "./status-queries.ts";
export {
  accountSubject,
  receiverSubject,
  type ScreenedAccount,
  type ScreenedReceiver,
} from "./subject.ts";
export { lockWalk, saveWalk, type Walk } from "./walk-queries.ts";
