// What other nouns use of console. The rest of this folder is private to it.

export { type ConsoleParts, registerConsole } from "./routes.ts";
export { startWaitingWorker } from "./waiting/worker.ts";
