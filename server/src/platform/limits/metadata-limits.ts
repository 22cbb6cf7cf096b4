// Limits of what callers keep at their objects and for their events.

export const metadataLimits = {
  /** Currencies of a subaccount with a level of their balance. */
  balanceLevelsMax: 50,
  metadataKeysMax: 20,
  metadataKeyChars: 40,
  metadataValueChars: 500,
} as const;
