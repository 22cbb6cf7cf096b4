// What a supervisor and its processes send each other.

import type { MetricFamily } from "../../platform/metrics/index.ts";
import type { TakenTokens } from "./token-exchange.ts";

/** Where a process listens; undefined for a worker. */
export type ListeningAt = { address: string; port: number } | undefined;

/** What a supervisor asks its processes. */
export type Answers = {
  metrics: MetricFamily[];
  /** Why the background work of the process is not done; empty when it is. */
  reasons: string[];
};
export type AskedOfProcess = keyof Answers;

export type ToProcess =
  /** Do the work that only one process does. */
  | { kind: "lead" }
  /** `isReplaced`: the service goes on without this process. */
  | { kind: "end"; why: string; isReplaced: boolean }
  | { kind: "ask"; about: AskedOfProcess; ask: number }
  | { kind: "tokens"; taken: TakenTokens };

export type FromProcess =
  | { kind: "ready"; listening: ListeningAt }
  /** It can't start, and ends. */
  | { kind: "failed"; text: string; exitCode: number }
  /** It ends because of a signal. */
  | { kind: "draining" }
  | { kind: "answer"; ask: number; answer: Answers[AskedOfProcess] }
  | { kind: "tokens"; taken: TakenTokens };
