// What other nouns use of metrics. The rest of this folder is private to it.

export type { BankPollOutcome, BankSendOutcome } from "./bank-outcomes.ts";
export { type MetricFamily, mergeMetrics } from "./merge.ts";
export {
  type BalanceSum,
  createMetrics,
  type DeliveryOutcome,
  type Metrics,
  type ProcessStates,
  type WaitingState,
} from "./metrics.ts";
export type { DeliveryState, ListState } from "./states.ts";
