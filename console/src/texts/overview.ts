// Shared texts of the screens below overview/.

export const overviewTexts = {
  oldestApproval: (what: string, span: string) => `${what} approval, the oldest for ${span}`,
  approvalRequestedBy: (what: string, name: string) => `${what} approval, requested by ${name}`,
  /** What is counted, for one and for more. The count is before it. */
  counted: {
    eventsArePending: ["event is pending", "events are pending"],
    payoutsAre: ["payout is", "payouts are"],
  },
  successful: "Successful",
  pending: "Pending",
  failed: "Failed",
  median: "Median",
  deliveredFirstTry: "Delivered first try",
  deliveredAfterRetry: "Delivered after retry",
  created: "Created",
  failedPayoutsByCause: "Failed payouts by cause",
  share: "Share",
  paidToday: "Paid today",
  oldest: (span: string) => `Oldest ${span}`,
} as const;
