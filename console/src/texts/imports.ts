// Shared texts of imports, of payouts and of receivers.

export const importsTexts = {
  row: "Row",
  ready: "Ready",
  problem: "Problem",
  duplicate: "Duplicate email",
  alreadyImported: "Imported before",
  preview: "Preview",
} as const;
