// The outcomes of sending a bank file, as metrics and the log name them.

export const bankSendOutcomes = [
  "sent",
  "present",
  "another_file",
  "vanished",
  "stored_less",
  "late",
  "another_address",
  "downloaded",
  "forbidden",
  "unreachable",
  "host_key",
  "login",
  "cut",
  "timeout",
  "refused",
  "failed",
] as const;
export type BankSendOutcome = (typeof bankSendOutcomes)[number];
