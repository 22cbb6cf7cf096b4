// What other nouns use of documents. The rest of this folder is private to it.

export { csvOf, csvPage, isoTime, withIsoTimes } from "./csv.ts";
export { csvSettings, describeCsvError, guardFormula, withoutFormulaGuard } from "./csv-input.ts";
export { type FileProblem, FileProblems } from "./file-problems.ts";
export { dayOfSerial, readSpreadsheet, type SheetRow, SpreadsheetError } from "./spreadsheet.ts";
export type { PdfRow } from "./table.ts";
export { writeTablePdf } from "./table-pdf.ts";
export { serveCalls, WorkThread } from "./work-thread.ts";
export {
  childrenOf,
  descendants,
  findElement,
  pathNames,
  textAt,
  type XmlElement,
} from "./xml-elements.ts";
export { readXml, type XmlEvent } from "./xml-reader.ts";
