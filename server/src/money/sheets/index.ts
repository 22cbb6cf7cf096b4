// What other nouns use of sheets. The rest of this folder is private to it.

export type { DecimalMark } from "./amounts.ts";
export {
  type ColumnPlaces,
  detectColumns,
  type FieldKind,
  type KnownColumns,
  knownColumnsOf,
  plainName,
  type SheetField,
  wordsOf,
} from "./columns.ts";
export { isWorkbook } from "./csv-table.ts";
export type { DayOrder } from "./days.ts";
export { openStream, readTable, type Sheet, type SheetTable, sheetOfTable } from "./sheet.ts";
export {
  importSheetLimits,
  readTableInThread,
  type ThreadSheet,
  withSheet,
} from "./sheet-thread.ts";
export { type TableRow, UnreadableFile } from "./table.ts";
export { type Reading, readCell } from "./values.ts";
