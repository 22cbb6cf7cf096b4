// Limits of webhook endpoints.

const secondMs = 1000;

export const endpointLimits = {
  /** Webhook endpoints of a subaccount, with that of postback_url. */
  endpointsMax: 10,
  /** A further endpoint that fails for so many days is disabled, if its subaccount sets nothing else. */
  disableAfterDays: 3,
  /** An endpoint that was added later can be filled from so far back. */
  endpointFillMs: 30 * 24 * 3600 * secondMs,
  endpointFillSlackMs: 3600 * secondMs,
  /** How often changes of endpoints are told to the other endpoints. */
  endpointsToldMs: secondMs,
  /** Events of a subaccount that one statement fans out to its further endpoints. */
  fanOutBatch: 1_000,
  /** Live secrets of one webhook endpoint. */
  endpointSecretsMax: 3,
  /** A webhook endpoint counts as failing from this share of failed attempts in 24 hours, with at least this many. */
  endpointFailingShare: 0.05,
  endpointFailingAttemptsMin: 20,
  /** Waiting events of a webhook endpoint are counted up to here. */
  waitingCountedMax: 10_000,
} as const;
