// The texts of imports, of payouts and of receivers.

import { countText } from "../state/locale.ts";

export const importsTexts = {
  checkingEveryRow: "Checking every row…",
  code: "Code",
  continue: "Continue",
  continueToImportTheRemainingRows: (word: string) =>
    `${word} Continue to import the remaining rows. No row is imported twice.`,
  createdAlreadyImportedFailed: (created: number, alreadyImported: number, refused: number) =>
    `${created} created, ${alreadyImported} already imported, ${refused} failed`,
  done: (name: string) => `${name}: done`,
  downloadResult: "Download result",
  dropACsvFileHereOr: "Drop a CSV file here, or choose one",
  failedRows: "Failed rows",
  importAnotherFile: "Import another file",
  importing: (name: string) => `${name}: importing`,
  reason: "Reason",
  row: "Row",
  rowsDone: "Rows done",
  sLeft: (left: number) => `${left} s left`,
  theFileHasOnlyAHeader: "The file has only a header. Add at least one row.",
  theFileIsEmptyItNeeds: "The file is empty. It needs a header row and at least one more row.",
  theFileIsTooLargeMax: "The file is too large (max 4 MB). Split it into several files.",
  receiverHint: "Max 4 MB. You'll see every row before a receiver is created.",
  receiverFormat:
    "CSV in UTF-8, with commas between columns and a header row. The template has every column. Bank accounts are added " +
    "to each receiver afterwards, and approved by a second user.",
  fileFormat: "File format",
  downloadTemplate: "Download template",
  chooseAnotherFile: "Choose another file",
  verdictCounts: (name: string, rows: string) => `${name}: ${rows}`,
  rows: (rows: number) => (rows === 1 ? "1 row" : `${countText(rows)} rows`),
  ready: "Ready",
  problem: "Problem",
  duplicate: "Duplicate email",
  alreadyImported: "Imported before",
  byCountry: "New receivers by country",
  preview: "Preview",
  name: "Name",
  email: "Email",
  country: "Country",
  result: "Check",
  showMore: "Show more",
  firstRowsShown: (shown: string) =>
    `The first ${shown} rows are shown, those with problems first.`,
  rowsWithProblemsAreLeftOut:
    "Rows with problems are not imported. Download them, correct them, and import the corrected file.",
  downloadProblemRows: "Download rows with problems",
  createReceivers: (count: number) =>
    count === 1 ? "Create 1 receiver" : `Create ${countText(count)} receivers`,
  nothingToCreate: "No receivers to create",
  viewReceivers: "View receivers",
  failed: (count: number) => `${count} failed`,
  theConnectionWasLost: "The connection was lost.",
} as const;
