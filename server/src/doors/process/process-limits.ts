// Times of the supervisor and its processes.

const secondMs = 1000;

export const processLimits = {
  /** A process that lived for less than this dies too soon. From the second time on, its next start has to wait. */
  stableMs: 30 * secondMs,
  /** This pause is doubled each time, up to the maximum. */
  restartPauseMs: secondMs,
  restartPauseMaxMs: 30 * secondMs,
  /** A process that is replaced keeps idle connections for this long. In use, each is closed with its next response. */
  replacedDrainMs: 10 * secondMs,
  /** How long a scrape waits for the metrics of a process. */
  metricsMs: 5 * secondMs,
  /** How long /readyz waits for the answer of a process. */
  reasonsMs: 2 * secondMs,
  /** How often a process tells the others which tokens of rate limits it took. */
  tokensSentMs: 100,
} as const;
