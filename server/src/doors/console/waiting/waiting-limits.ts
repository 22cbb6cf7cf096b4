// How long something waits for a second user.

const dayMs = 24 * 3_600_000;

export const waitingLimits = {
  expiresMs: 30 * dayMs,
  /** The overview says so this long before. */
  expiresSoonMs: 3 * dayMs,
  pollMs: 600_000,
  /** Of each kind, in one poll. */
  page: 100,
} as const;
