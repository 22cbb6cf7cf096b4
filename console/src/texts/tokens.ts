// Shared texts of the screens below tokens/.

export const tokensTexts = {
  newToken: "New token",
  name: "Name",
  role: "Role",
  subaccounts: "Subaccounts",
  allSubaccounts: "All subaccounts",
  expires: "Expires",
} as const;
