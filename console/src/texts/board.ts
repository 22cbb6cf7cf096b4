// Shared texts of the board of payouts.

export const boardTexts = {
  on_hold: "On hold",
  awaiting_approval: "Awaiting approval",
  queued: "Queued",
  at_bank: "At the bank",
  settled: "Successful",
  failed: "Failed",
  returned: "Returned",
} as const;
