// What other nouns use of imports. The rest of this folder is private to it.

export {
  approveBatchAct,
  batchTotalsOf,
  declineBatchAct,
  type PayoutBatchParts,
  retryBatchAct,
} from "./batch-acts.ts";
export {
  countWaitingBatches,
  findBatchMakers,
  listFailedOfBatch,
  listWaitingBatches,
  type WaitingBatch,
} from "./batch-queries.ts";
export { type CheckedAccounts, checkAccounts } from "./check-accounts.ts";
export { type CheckedFile, checkFile } from "./check-file.ts";
export { type CheckedReceivers, checkReceivers } from "./check-receivers.ts";
export { createNewPayees, mayCreatePayees } from "./create-new-payees.ts";
export { type CreatedRow, type Creator, createRows } from "./create-rows.ts";
export {
  deleteOldRefusals,
  type FileImportRow,
  findFileImports,
  listRefusals,
  type RefusalRow,
} from "./file-import-queries.ts";
export {
  FileToCheck,
  givenFileOf,
  importAccountsAct,
  importPayoutsAct,
  importReceiversAct,
  type PayoutImportParts,
  type ReceiverImportParts,
  startImport,
} from "./import-acts.ts";
export { importLimits } from "./import-limits.ts";
export {
  type CheckAmong,
  cureOf,
  type Row,
  type RowFormat,
  type RowProblem,
  type Rows,
  readRows,
} from "./import-rows.ts";
export { type NewPayees, newPayeesOf } from "./new-payees.ts";
export type { ReadingOfFile } from "./opened-file.ts";
export { findPayees } from "./payee-find.ts";
export {
  accountsFormat,
  duplicateCheck,
  newPayeesTemplate,
  payeesFormat,
  payoutFormat,
  payoutRequestOf,
  templateColumns,
} from "./payout-file.ts";
export { type BalanceSurvey, remarksOn, startSurvey, sumOf } from "./payout-survey.ts";
export { payoutsOfRows } from "./payouts-of-rows.ts";
export { readable } from "./readable.ts";
export { type CommandReading, strictPlan } from "./reading-plan.ts";
export { emailCheck, receiverFormat, receiverTemplate } from "./receiver-file.ts";
export { receiversOfRows } from "./receivers-of-rows.ts";
export { type RequestOf, type RowRecorder, rowRecorder } from "./record-rows.ts";
export { countWaitingRows, listWaitingRows, type WaitingRow } from "./waiting-row-queries.ts";
export { keepWaitingRows } from "./waiting-rows.ts";
