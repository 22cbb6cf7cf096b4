// The clock. Functions whose result depends on the time take it as an argument.

/** Milliseconds since the Unix epoch. */
export type Clock = () => number;

export const systemClock: Clock = Date.now;
