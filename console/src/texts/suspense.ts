// Shared texts of the screens below suspense/.

export const suspenseTexts = {
  suspense: "Suspense",
  item: "Suspense item",
  age: "Age",
  reference: "Reference",
  account: "Account",
  amount: "Amount",
  bank: "Bank",
  candidates: "Payouts that it may be about",
  subaccounts: "Subaccounts that the money may be for",
  payout: "Payout",
  subaccount: "Subaccount",
  reasons: "Reasons",
  match: "Match",
  fund: "Give to subaccount",
  fundTitle: "Give the money to a subaccount",
  fundText: (total: string) =>
    `${total} leave suspense and are added to the subaccount's available balance.`,
} as const;
