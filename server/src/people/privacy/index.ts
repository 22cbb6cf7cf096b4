// What other nouns use of privacy. The rest of this folder is private to it.

export { applyJournal, eraseReceiverNow } from "./acts.ts";
export { type Erased, eraseReceiver, requireErasable } from "./erase.ts";
export type { ErasureRow } from "./erasure-queries.ts";
export { applyErasures, JournalError, readErasures, writeErasures } from "./journal.ts";
export { startRetentionWorker } from "./retention-worker.ts";
export { ErasedReceiver, ReceiverErasure } from "./schema.ts";
