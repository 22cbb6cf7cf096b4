// Shared texts of the money flow of a month.

export const flowTexts = {
  opening: "Opening balance",
  funded: "Funded",
  returned: "Returned payouts",
  feesRefunded: "Fees given back",
  paid: "Paid",
  fees: "Fees",
  reversed: "Reversed fundings",
  closing: "Closing balance",
} as const;
