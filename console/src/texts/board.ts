// Texts of the board of payouts.

export const boardTexts = {
  list: "List",
  pipeline: "Pipeline",
  view: "View of payouts",
  payouts: "Payouts",
  on_hold: "On hold",
  awaiting_approval: "Awaiting approval",
  queued: "Queued",
  at_bank: "At the bank",
  settled: "Successful",
  failed: "Failed",
  returned: "Returned",
  now: "Now",
  created: (range: string) => `Created in the last ${range}`,
  ranges: { "24h": "24 hours", "7d": "7 days", "30d": "30 days", "90d": "90 days" },
  range: "Time range",
  oldest: (age: string) => `Oldest: ${age}`,
  none: "None",
  notAddedUp: (currency: string) => `${currency}: too many to add up`,
  isBehind: "Figures of the time range are being added up and are not complete yet.",
  hint: "Sums are what goes to the bank. Successful, failed and returned payouts are those that were created in the time range.",
} as const;
