// Shared texts of "How to fund".

export const fundingTexts = {
  howToFund: "How to fund",
} as const;
