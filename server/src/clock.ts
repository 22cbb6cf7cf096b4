// Where the time comes from. An argument wherever a decision depends on it.

/** Milliseconds since the Unix epoch. */
export type Clock = () => number;

export const systemClock: Clock = Date.now;
