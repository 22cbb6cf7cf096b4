// The texts of the money flow of a month.

export const flowTexts = {
  titleOf: (month: string) => `Money flow, ${month}`,
  captionOf: (currency: string, month: string) => `Money flow of ${currency} in ${month}`,
  said: (currency: string, month: string, left: string, right: string) =>
    `Money flow of ${currency} in ${month}. In: ${left}. Out: ${right}.`,
  cameFrom: "Came from",
  became: "Became",
  total: "Total",
  opening: "Opening balance",
  funded: "Funded",
  returned: "Returned payouts",
  feesRefunded: "Fees given back",
  paid: "Paid",
  fees: "Fees",
  reversed: "Reversed fundings",
  closing: "Closing balance",
  closingAvailable: "of it available",
  closingHeld: "of it held",
  closingInTransit: "of it in transit",
  rejected: "Rejected by the bank, never left the balance",
  released: "Released before sending, never left the balance",
  what: "What",
  amount: "Amount",
  difference: (amount: string) =>
    `These figures differ by ${amount}. Books shows which figures do not agree.`,
  stillCalculating: (count: string) =>
    `The figures are still being calculated: ${count} transfers left.`,
} as const;
