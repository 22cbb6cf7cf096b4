// The texts of "How to fund".

export const fundingTexts = {
  howToFund: "How to fund",
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
