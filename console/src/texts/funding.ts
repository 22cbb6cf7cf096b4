// The texts of "How to fund".

export const fundingTexts = {
  howToFund: "How to fund",
  inTestMode: (mayFund: boolean) =>
    `Test money does not come from a bank: ${mayFund ? "choose Add test funds" : "an operator or finance adds test funds"} on the {balances} page. Bank accounts, if there are any, belong to a bank simulator.`,
  balances: "Balances",
  fund: (currency: string) => `Fund ${currency}`,
  depositReference: "Deposit reference",
  bank: "Bank",
  accountHolder: "Account holder",
  bsb: "BSB",
  bankCode: "Bank code",
  accountNumber: "Account number",
  bic: "BIC",
  noBankAccount: (currency: string) => `No bank account takes ${currency}.`,
} as const;
