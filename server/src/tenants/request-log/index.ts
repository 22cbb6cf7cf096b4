// What other nouns use of request-log. The rest of this folder is private to it.

export { valuesOf } from "./chunk.ts";
export {
  findRequest,
  listErrorGroups,
  listRequests,
  listRequestsOfChanges,
  type RequestRow,
  type RequestScan,
  type RequestSort,
  sortRequests,
} from "./queries.ts";
export { hidden, type Redactor, redactor } from "./redact.ts";
export { type SignatureHint, signatureHint } from "./signature-hint.ts";
export { type RequestLog, startRequestLog } from "./writer.ts";
