// What other nouns use of console. The rest of this folder is private to it.

export { partsFor } from "./act-route.ts";
export { gate, type Proof } from "./gate.ts";
export { consoleAddress } from "./login/address.ts";
export { textWithoutNames } from "./names.ts";
export type { ConsoleAccess } from "./route.ts";
export { type ConsoleParts, registerConsole } from "./routes.ts";
export { consoleScope } from "./scope.ts";
export { startWaitingWorker } from "./waiting/worker.ts";
