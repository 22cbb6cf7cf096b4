// The face of the package: what programs outside of it use.

export { readAba, recognisesAba } from "./aba/read.ts";
export type { AbaReturn } from "./aba/records.ts";
export { type AbaSettings, abaFormat } from "./aba/write.ts";
export { type BankCodeScheme, findBankCode } from "./bank-codes.ts";
export { type BankFileCheck, checkBankFile, decodeBankFile } from "./check.ts";
export { type CsvGuess, guessCsvMapping } from "./csv-statement/guess.ts";
export {
  type CsvMapping,
  csvDecimals,
  csvDelimiters,
  csvGroups,
  csvOrders,
} from "./csv-statement/mapping.ts";
export { csvMappingProblems } from "./csv-statement/mapping-check.ts";
export { type CsvPreview, looksLikeCsv, previewCsv } from "./csv-statement/preview.ts";
export { readFileDate } from "./file-dates.ts";
export type {
  FileFacts,
  FileTotals,
  FileWriter,
  Payment,
  PaymentFormat,
  PaymentProblem,
  PostalAddress,
} from "./format.ts";
export { type IsoRecord, readIsoMessage } from "./iso/iso-messages.ts";
export { findMessage } from "./iso/messages.ts";
export type { Pain001Currency, Pain001Settings } from "./iso/pain-001-profiles.ts";
export { pain001v03Format, pain001v09Format } from "./iso/pain-001-writer.ts";
export type { StatusRecord } from "./iso/pain-002-reader.ts";
export { readNacha } from "./nacha/read.ts";
export { recognisesNacha } from "./nacha/recognise.ts";
export type { NachaAddendum, NachaEntry } from "./nacha/records.ts";
export { nachaFormat } from "./nacha/write.ts";
export { anzFullFormat } from "./nz/anz-full-write.ts";
export { asbFormat } from "./nz/asb-write.ts";
export { anzFormat, bnzFormat } from "./nz/mts-write.ts";
export { westpacFormat } from "./nz/westpac-write.ts";
export { type FileProblem, type FileReport, isValid } from "./report.ts";
export { readStatement, recognisesStatement } from "./statement.ts";
export {
  emptyStatementLine,
  type StatementEnd,
  type StatementLine,
  type StatementRecord,
} from "./statement-records.ts";
