// What other nouns use of delivery. The rest of this folder is private to it.

export type { WebhookSecretRow } from "./queries.ts";
export { jitter, stepMs } from "./retry.ts";
export { signingKeys } from "./signing-keys.ts";
export { startWakeUps } from "./wake-ups.ts";
export { startDeliveryWorker } from "./worker.ts";
