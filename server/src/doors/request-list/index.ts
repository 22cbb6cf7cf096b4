// What other nouns use of request-list. The rest of this folder is private to it.

export {
  type RequestTimeRange,
  readErrors,
  readRequestPage,
  requestCsvColumns,
  toRequestCells,
} from "./list.ts";
export { objectOf, presentRequestRow, redacted, shownPath } from "./present.ts";
export {
  ErrorsFilter,
  type Linked,
  RequestDetail,
  RequestErrors,
  RequestLine,
  RequestsFilter,
  RequestsPage,
} from "./schema.ts";
