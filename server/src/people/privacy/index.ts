// What other nouns use of privacy. The rest of this folder is private to it.

export { applyJournal, eraseReceiverNow, requestErasure } from "./acts.ts";
export { type Erased, eraseReceiver } from "./erase.ts";
export type { ErasureRow } from "./erasure-queries.ts";
export { applyErasures, JournalError, readErasures, writeErasures } from "./journal.ts";
export { startRetentionWorker } from "./retention-worker.ts";
export { ErasedReceiver, ReceiverErasure } from "./schema.ts";
