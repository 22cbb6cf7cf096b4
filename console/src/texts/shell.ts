// Shared texts of the shell: navigation, top bar, search and page states.

export const shellTexts = {
  payouts: "Payouts",
  receivers: "Receivers",
  apiRequests: "API requests",
  tryAgain: "Try again",
  loading: "Loading",
  search: "Search",
  allSubaccounts: "All subaccounts",
  nameOrId: "Name or ID",
  subaccounts: "Subaccounts",
} as const;
