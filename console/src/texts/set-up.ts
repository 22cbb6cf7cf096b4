// Shared texts of the set-up screen.

export const setUpTexts = {
  setUpYourAccount: "Set up your account",
} as const;
