// Shared texts of the screens below balances/.

export const balancesTexts = {
  balances: "Balances",
  available: "Available",
  held: "Held",
  inTransit: "In transit",
  linesOf: (currency: string) => `Statement lines of ${currency}`,
  addTestFunds: "Add test funds",
  amount: "Amount",
} as const;
