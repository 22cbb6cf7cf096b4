// What other nouns use of documents. The rest of this folder is private to it.

export { csvOf, csvPage, isoTime } from "./csv.ts";
export { guardFormula, withoutFormulaGuard } from "./formula-guard.ts";
export { pictureLimits, readPicture } from "./picture.ts";
export { dayOfSerial, readSpreadsheet, type SheetRow } from "./spreadsheet.ts";
export type { PdfRow } from "./table.ts";
export { writeTablePdf } from "./table-pdf.ts";
export { ThreadPool } from "./thread-pool.ts";
export { serveCalls, WorkThread } from "./work-thread.ts";
export { type CellFault, type CellKind, readWorkbook, type WorkbookRow } from "./workbook.ts";
export { SpreadsheetError } from "./workbook-parts.ts";
