// Whether a failed attempt may be retried, and after how long.

import { ConnectionError, type DisburseError, TimeoutError } from "./errors.ts";

const BACKOFF_MS_FIRST = 500;
const BACKOFF_MS_MAX = 8_000;
// A longer wait is for the caller to decide on: the error says how long the server asked for.
const RETRY_AFTER_MS_MAX = 60_000;

const PASSING_STATUSES = [408, 429, 502, 503, 504];

/**
 * The effect of a failed write may be unknown, but repeating it does nothing twice: every POST has an
 * idempotency key, and the same PATCH or DELETE leaves the same state.
 */
export function mayRepeat(failure: DisburseError, call: { isRead: boolean }): boolean {
  if ((failure.retryAfterMs ?? 0) > RETRY_AFTER_MS_MAX) return false;
  if (failure instanceof ConnectionError || failure instanceof TimeoutError) return true;
  // An earlier attempt with the same key is still running; once it is done, we get its response.
  if (failure.code === "IDEM103") return true;
  return PASSING_STATUSES.includes(failure.status ?? 0) || (failure.status === 500 && call.isRead);
}

/** Any moment up to a bound that doubles ("full jitter"), so that callers do not return in step. */
export function waitMs(failure: DisburseError, retriesSoFar: number): number {
  const boundMs = Math.min(BACKOFF_MS_MAX, BACKOFF_MS_FIRST * 2 ** retriesSoFar);
  return (failure.retryAfterMs ?? 0) + Math.random() * boundMs;
}

/** `Retry-After`, which holds seconds or a date, in milliseconds from now. */
export function retryAfterMsOf(headers: Headers): number | null {
  const value = headers.get("retry-after")?.trim();
  if (!value) return null;
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  // The server's date is compared with the server's clock, if the response has it.
  const untilMs = Date.parse(value) - (serverTimeMsOf(headers) ?? Date.now());
  return Number.isNaN(untilMs) ? null : Math.max(0, untilMs);
}

/** The server's clock when it answered, from the `date` header. */
export function serverTimeMsOf(headers: Headers): number | null {
  const ms = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(ms) ? null : ms;
}

/** Waits, unless the caller gives up first. */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", giveUp);
      resolve();
    }, ms);
    signal?.addEventListener("abort", giveUp, { once: true });
  });
}
