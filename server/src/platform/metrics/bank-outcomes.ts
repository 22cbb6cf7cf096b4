// The outcomes of sending a bank file and of polling a bank's folder, as metrics and the log name them.

const sftpFailures = [
  "forbidden",
  "unreachable",
  "host_key",
  "login",
  "cut",
  "timeout",
  "refused",
  "failed",
] as const;

export const bankSendOutcomes = [
  "sent",
  "present",
  "another_file",
  "vanished",
  "stored_less",
  "late",
  "another_address",
  "downloaded",
  "in_review",
  ...sftpFailures,
] as const;
export type BankSendOutcome = (typeof bankSendOutcomes)[number];

export const bankPollOutcomes = ["polled", "too_many_files", ...sftpFailures] as const;
export type BankPollOutcome = (typeof bankPollOutcomes)[number];
