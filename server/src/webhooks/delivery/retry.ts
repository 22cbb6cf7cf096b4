// Decides what a response means: the event is delivered, retried or abandoned, and its webhook endpoint works or is
// down. Pure: tables and arithmetic, without a clock.

import { limits } from "../../platform/limits/index.ts";
import type { DeliveryOutcome } from "../../platform/metrics/index.ts";
import type { Posted } from "../http-client/index.ts";

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const firstStepsMs = [
  5 * secondMs,
  30 * secondMs,
  2 * minuteMs,
  10 * minuteMs,
  30 * minuteMs,
  hourMs,
  2 * hourMs,
  4 * hourMs,
  8 * hourMs,
];
const lastStepMs = 12 * hourMs;

/** The pause after the nth failed attempt. */
export function stepMs(failures: number): number {
  return firstStepsMs[failures - 1] ?? lastStepMs;
}

/** Each pause is shorter or longer by up to this fraction, so that events that failed together are not retried together. */
export const jitter = 0.2;

/** The decision about a delivery after an attempt. */
export type DeliveryResult = "delivered" | "retry" | "abandoned";

export type RetryDecision = {
  result: DeliveryResult;
  /** The finer reason, as metrics and the list of attempts show it. */
  outcome: DeliveryOutcome;
  /** Undefined unless the result is `retry`. */
  retryAfterMs: number | undefined;
  /** How much the attempt counts against the endpoint, not only against this event. */
  failureScore: number;
};

/** At this score the endpoint is down, and its events wait. */
export const failureScoreMax = 5;

/** `attempt` counts from 1. `ageMs`: time since the first attempt became due. `random`: from 0 up to 1. */
export function decideRetry(
  posted: Posted,
  { attempt, ageMs, nowMs }: { attempt: number; ageMs: number; nowMs: number },
  random: number,
): RetryDecision {
  const outcome = outcomeOf(posted);
  if (outcome === "delivered") {
    return { result: "delivered", outcome, retryAfterMs: undefined, failureScore: 0 };
  }
  const base = stepMs(attempt);
  const jittered = base * (1 + jitter * (2 * random - 1));
  const retryAfterMs =
    outcome === "throttled" ? parseRetryAfter(posted.retryAfter, nowMs) : undefined;
  const step =
    retryAfterMs === undefined
      ? jittered
      : Math.max(jittered, Math.min(retryAfterMs, 2 * base, limits.retryAfterMaxMs));
  const isOver = ageMs + step > limits.deliveryTriedMs;
  return {
    result: isOver ? "abandoned" : "retry",
    outcome,
    retryAfterMs: isOver ? undefined : Math.round(step),
    failureScore: failureScoreOf(outcome, posted.status, attempt),
  };
}

function outcomeOf({ status, failure }: Posted): DeliveryOutcome {
  if (failure !== undefined) return failure;
  if (status === undefined) return "cut";
  if (status >= 200 && status < 300) return "delivered";
  if (status === 410) return "gone";
  if (status === 429 || status === 503) return "throttled";
  if (status < 400) return "redirected";
  return status < 500 ? "refused_4xx" : "refused_5xx";
}

/**
 * No response, or one that asks for a pause, counts against the endpoint at once. A refusal may concern one event only,
 * so it takes several events in a row, and the second refusal of the same event does not count.
 */
function failureScoreOf(
  outcome: DeliveryOutcome,
  status: number | undefined,
  attempt: number,
): number {
  const isGateway = status === 502 || status === 504;
  const isRefusal =
    (outcome === "refused_4xx" || outcome === "refused_5xx" || outcome === "redirected") &&
    !isGateway;
  if (!isRefusal) return failureScoreMax;
  return attempt === 1 ? 1 : 0;
}

/** Whole seconds, or a date. Undefined: neither. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d{1,12}$/.test(text)) return Number(text) * secondMs;
  // The date formats of RFC 9110 all start with the name of a day.
  const atMs = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}

/** The state of a webhook endpoint in this process, since it claimed the lane. */
export type EndpointHealth = {
  /** As it was when the lane was claimed. Above 0: the endpoint was down, and the first event is a probe. */
  readonly backoffLevel: number;
  failureScore: number;
  hasSucceeded: boolean;
  /** Since the last success. */
  hasFailed: boolean;
  /** The endpoint replied with 410: nothing is sent any more. */
  isGone: boolean;
  /** The longest pause that a throttling endpoint asked for. */
  pauseMs: number;
};

export function applyDecision(health: EndpointHealth, decision: RetryDecision): void {
  if (decision.result === "delivered") {
    health.hasSucceeded = true;
    health.hasFailed = false;
    health.failureScore = 0;
    return;
  }
  const { outcome, failureScore, retryAfterMs = 0 } = decision;
  health.hasFailed = true;
  health.failureScore = Math.min(health.failureScore + failureScore, failureScoreMax);
  if (outcome === "gone") health.isGone = true;
  if (outcome === "throttled") health.pauseMs = Math.max(health.pauseMs, retryAfterMs);
}

export function isEndpointDown(health: EndpointHealth): boolean {
  const { backoffLevel, failureScore, hasSucceeded, hasFailed, isGone } = health;
  const isProbing = backoffLevel > 0 && !hasSucceeded;
  return isGone || (hasFailed && (failureScore >= failureScoreMax || isProbing));
}

/** How long the lane stays closed after its release. Each failed probe raises the level by one. */
export function backoffOf(health: EndpointHealth): { backoffLevel: number; backoffMs: number } {
  const levelBefore = health.hasSucceeded ? 0 : health.backoffLevel;
  if (!isEndpointDown(health)) return { backoffLevel: levelBefore, backoffMs: 0 };
  const backoffLevel = levelBefore + 1;
  // A little shorter than the pause of the events, so that the first event that is due is the next probe.
  const backoffMs = Math.round(Math.max(0.8 * stepMs(backoffLevel), health.pauseMs));
  return { backoffLevel, backoffMs };
}

/** An endpoint that fails without a break is reported at each of these. */
const failingStepsMs = { "1h": hourMs, "24h": 24 * hourMs, "7d": 7 * 24 * hourMs } as const;
type FailingFor = keyof typeof failingStepsMs;
export const failingSteps = Object.entries(failingStepsMs) as [FailingFor, number][];
