// Limits of connections to the database, in milliseconds. The timeout of a statement is in limits.ts.

export const connectionLimits = {
  /** PostgreSQL gives no answer, although its own timeout has passed: a commit waits for a standby, or the server is gone. */
  answerTimeoutMs: 12_000,
  overdueCheckMs: 1_000,
  /** An idle connection is checked this often, so that a server that was switched off is noticed. */
  keepAliveMs: 10_000,
} as const;
