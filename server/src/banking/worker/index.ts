// What other nouns use of worker. The rest of this folder is private to it.

export { startBankWorker } from "./worker.ts";
