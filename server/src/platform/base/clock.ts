// The clock. Functions whose result depends on the time take it as an argument.

/** Milliseconds since the Unix epoch. */
export type Clock = () => number;

export const systemClock: Clock = Date.now;

/** The pause after a failed attempt: doubled with each one, up to a bound. */
export function backoffMs(firstMs: number, maxMs: number, attempts: number): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(Math.max(attempts - 1, 0), 20));
}
