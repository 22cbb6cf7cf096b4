// What other nouns use of http. The rest of this folder is private to it.

export {
  countResponse,
  logResponse,
  observeResponses,
  type ResponseFacts,
  type ResponseObserver,
} from "./after-response.ts";
export { type BatchTurn, batchTurns } from "./batch-turns.ts";
export { bodyGate, discardBody, isLargeBody } from "./body-gate.ts";
export { readBody } from "./body-reader.ts";
export { byTurn, stepByStep } from "./by-turn.ts";
export {
  accepts,
  fileRequestType,
  readFileRequest,
  readLargeObject,
  readObject,
  wantsCsv,
  wantsPdf,
} from "./content.ts";
export { Failure, sendFailure, sendFailureOnSocket, toRefusal } from "./envelope.ts";
export { readFiles, releaseFiles } from "./files-body.ts";
export { readIdempotencyKey } from "./idempotency.ts";
export { methodsByPath } from "./methods.ts";
export { fileHeaders, pageHeaders } from "./page-headers.ts";
export {
  type Api,
  ById,
  codesOf,
  linkNextPage,
  sendCsvList,
  sendJson,
  sendWritten,
  success,
} from "./route.ts";
export { serializerCompiler } from "./serialize.ts";
export { streamWhileRead } from "./stream.ts";
export { traceRequests } from "./trace-requests.ts";
export { validatorCompiler } from "./validate.ts";
