// What other nouns use of imports. The rest of this folder is private to it.

export { type CheckedFile, type CheckParts, checkFile, rowsOf } from "./check-file.ts";
export {
  type CheckedReceivers,
  checkReceivers,
  problemInWords,
  receiversToCreate,
} from "./check-receivers.ts";
export { type CreatedRow, type Creator, createRows } from "./create-rows.ts";
export {
  type CheckAmong,
  type Row,
  type RowFormat,
  type RowProblem,
  type Rows,
  readRows,
  UnreadableFile,
} from "./csv-rows.ts";
export {
  deleteOldRefusals,
  endFileImport,
  type FileImportRow,
  findFileImports,
  type ImportKey,
  insertFileImport,
  listRefusals,
  updateImportCounts,
} from "./file-import-queries.ts";
export { importLimits } from "./import-limits.ts";
export { duplicateCheck, payoutFormat, payoutRequestOf, templateColumns } from "./payout-file.ts";
export { type BalanceSurvey, remarksOn, startSurvey, sumOf } from "./payout-survey.ts";
export { payoutsOfRows } from "./payouts-of-rows.ts";
export { emailCheck, receiverFormat } from "./receiver-file.ts";
export { receiversOfRows } from "./receivers-of-rows.ts";
export { type RequestOf, type RowRecorder, rowRecorder } from "./record-rows.ts";
