// Shared texts of the screens below approvals/.

const kindsAtBank: Record<string, string> = {
  funded: "Funds",
  settled: "Paid",
  returned: "Returned",
  rejected: "Rejected",
  suspended: "In suspense",
  proposed: "Proposed bank details",
  match: "Match",
  fund: "Give to subaccount",
  company: "Give to the company",
  return: "Return to the bank",
  undo: "Undo",
  opening: "Opening balance",
};

export const approvalsTexts = {
  atBank: {
    kinds: kindsAtBank,
    confirm: "Confirm",
  },
  cantBeDecrypted: "This change can't be decrypted. Decline it and submit it again.",
  withdraw: "Withdraw",
  decline: "Decline",
  review: "Review",
  approve: "Approve",
  erasure: "Erasure",
  and: " and ",
} as const;
