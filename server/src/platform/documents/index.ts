// What other nouns use of documents. The rest of this folder is private to it.

export { csvOf, csvPage, isoTime } from "./csv.ts";
export { guardFormula, withoutFormulaGuard } from "./formula-guard.ts";
export { dayOfSerial, readSpreadsheet, type SheetRow, SpreadsheetError } from "./spreadsheet.ts";
export type { PdfRow } from "./table.ts";
export { writeTablePdf } from "./table-pdf.ts";
export { serveCalls, WorkThread } from "./work-thread.ts";
