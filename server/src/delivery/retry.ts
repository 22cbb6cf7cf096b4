// What an answer means, and when an event is tried again. Pure: tables and arithmetic, no clock of its own.

import { limits } from "../limits.ts";
import type { DeliveryOutcome } from "../metrics/metrics.ts";
import type { Posted } from "./http-client/post.ts";

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

/** From the nth failure in a row to the next try. */
export function stepMs(failures: number): number {
  return firstStepsMs[failures - 1] ?? lastStepMs;
}

/** Each pause is shorter or longer by up to this part of it, so that what failed together does not come back together. */
export const jitter = 0.2;

export type RetryDecision = {
  outcome: DeliveryOutcome;
  /** When to try again; undefined: never, because it was heard or has been tried for long enough. */
  againAfterMs: number | undefined;
  /** How much it speaks against the endpoint, not only against this event. */
  failure_score: number;
};

/** Strikes in a row after which an endpoint is left alone, and its events with it. */
export const failureScoreMax = 5;

/** `attempt` counts from 1. `ageMs`: how long it has been tried for. `random` is from 0 up to 1. */
export function decideRetry(
  posted: Posted,
  { attempt, ageMs, nowMs }: { attempt: number; ageMs: number; nowMs: number },
  random: number,
): RetryDecision {
  const outcome = outcomeOf(posted);
  if (outcome === "delivered") return { outcome, againAfterMs: undefined, failure_score: 0 };

  const base = stepMs(attempt);
  const jittered = base * (1 + jitter * (2 * random - 1));
  const asked = outcome === "throttled" ? retryAfterMs(posted.retryAfter, nowMs) : undefined;
  const step =
    asked === undefined
      ? jittered
      : Math.max(jittered, Math.min(asked, 2 * base, limits.retryAfterMaxMs));
  const isOver = ageMs + step > limits.deliveryTriedMs;
  return {
    outcome,
    againAfterMs: isOver ? undefined : Math.round(step),
    failure_score: strikesOf(outcome, posted.status, attempt),
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
 * No answer at all, or one that asks for a pause, is about the endpoint. A refusal may be about the one event, so
 * several events have to be refused in a row; what was refused before does not count again.
 */
function strikesOf(outcome: DeliveryOutcome, status: number | undefined, attempt: number): number {
  const isGateway = status === 502 || status === 504;
  const isRefusal =
    (outcome === "refused_4xx" || outcome === "refused_5xx" || outcome === "redirected") &&
    !isGateway;
  if (!isRefusal) return failureScoreMax;
  return attempt === 1 ? 1 : 0;
}

/** Whole seconds, or a date. Anything else is not a wish that we know. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d{1,12}$/.test(text)) return Number(text) * secondMs;
  // Only the forms that RFC 9110 knows, which all begin with the name of a day.
  const atMs = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}

/** For how long an endpoint has failed, in the steps that people are told of. */
const tellingStepsMs = { "1h": hourMs, "24h": 24 * hourMs, "7d": 7 * 24 * hourMs } as const;
export type FailingFor = keyof typeof tellingStepsMs;
export const failingSteps = Object.entries(tellingStepsMs) as [FailingFor, number][];
