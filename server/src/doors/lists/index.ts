// What other nouns use of lists. The rest of this folder is private to it.

export { consoleListLimits } from "./list-limits.ts";
export {
  csvPagesOf,
  cursorField,
  cutSortedPage,
  pageOf,
  pageSizeOf,
  rowsField,
  sortedCursorField,
  sortedPageOf,
  timeField,
} from "./paging.ts";
