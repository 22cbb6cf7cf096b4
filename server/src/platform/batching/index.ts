// What other nouns use of batching. The rest of this folder is private to it.

export { type Batching, batch, batchingAt, beforeStatement, oneAfterTheOther } from "./batch.ts";
export { spanOf, tracedFor, traceStatement } from "./trace-statement.ts";
export { type EndTurn, type Turns, turns } from "./turns.ts";
