// Shared texts of the screens below reconcile/: the books of a subaccount.

export const reconcileTexts = {
  inLabel: "In",
  out: "Out",
  returned: "Returned",
  fees: "Fees",
  reversed: "Reversed",
  closing: "Closing",
  closeMonth: "Close month",
  held: "Held",
  atTheBank: "At the bank",
  utc: "UTC",
} as const;
