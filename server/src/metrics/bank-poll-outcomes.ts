// The outcomes of polling a bank's folder, as metrics and the log name them.

export const bankPollOutcomes = [
  "polled",
  "too_many_files",
  "forbidden",
  "unreachable",
  "host_key",
  "login",
  "cut",
  "timeout",
  "refused",
  "failed",
] as const;
export type BankPollOutcome = (typeof bankPollOutcomes)[number];
