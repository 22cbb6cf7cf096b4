// The codes about what waits at a bank for a second user. Part of the table in refusals.ts.

export const refusalsAboutBankRequests = {
  BANK501: [
    409,
    "The bank connection has been changed since this was requested",
    "Decline it, look at the connection, and request the change again if it is still right.",
  ],
  BANK502: [
    409,
    "A change of this bank connection is waiting",
    "Another admin approves or declines that one first.",
  ],
  BANK503: [
    409,
    "The settings of this bank connection can't be decrypted",
    "Check that every process has the same master key.",
  ],
  BANK504: [
    409,
    "The same is waiting for a second user",
    "Another user confirms or declines the waiting request in Approvals first.",
  ],
  BANK505: [
    409,
    "What it changes is no longer what you were shown",
    "Look at the sums again, then confirm or decline it.",
  ],
  BANK506: [
    409,
    "What this is about has changed since it was requested",
    "Decline it, look at the item again, and decide again if it is still right.",
  ],
} as const satisfies Record<string, readonly [status: number, text: string, cure: string]>;
