// What other nouns use of process. The rest of this folder is private to it.

export { openAdmin } from "./admin.ts";
export { startArchive } from "./archive-wal.ts";
export { healthRoutes, isReady } from "./health.ts";
export { processLimits } from "./process-limits.ts";
export type {
  Answers,
  AskedOfProcess,
  FromProcess,
  ListeningAt,
  ToProcess,
} from "./process-messages.ts";
export { noBackground, quarantineReasons, refuseWrites } from "./quarantine.ts";
export type { Background, Listening } from "./service-parts.ts";
export { ServiceProcess } from "./service-process.ts";
export { explainPort, openLog, openTracing, sayWelcome, showProgress } from "./start-up.ts";
export { tokenExchanges } from "./token-exchange.ts";
