// Shared texts of the screens below settings/.

export const settingsTexts = {
  closeSubaccount: "Close subaccount",
  noLimit: "no limit",
  currency: "Currency",
  save: "Save",
  createSubaccount: "Create subaccount",
  name: "Name",
  mode: "Mode",
  business: "Business",
  settings: "Settings",
  days: (days: number) => `${days} days`,
} as const;
