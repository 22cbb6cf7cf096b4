// Limits of operator tokens and of /operator/v1.

const secondMs = 1000;

export const operatorLimits = {
  /** Operator tokens: how long one lasts, how many work or wait at a time, and how many are listed. */
  operatorTokenMs: 90 * 24 * 3600 * secondMs,
  operatorTokensMax: 100,
  operatorTokensListedMax: 500,
  /** How long a response to a request with an Idempotency-Key is kept under /operator. */
  operatorAnswerMs: 24 * 3600 * secondMs,
  /** After this time a request whose process has died can be done again under its Idempotency-Key. */
  operatorClaimMs: 60 * secondMs,
  /** How long a code of `disburse login` works, how many wait at a time, and how many wrong ones a user may type. */
  loginCodeMs: 10 * 60 * secondMs,
  loginCodesMax: 1_000,
  loginCodeTriesMax: 5,
  /** How often the command line asks whether the user has confirmed it. */
  loginPollMs: 2 * secondMs,
} as const;
