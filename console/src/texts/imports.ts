// Shared texts of imports, of payouts and of receivers, and the names of their fields.

export const importsTexts = {
  row: "Row",
  ready: "Ready",
  problem: "Problem",
  duplicate: "Duplicate email",
  alreadyImported: "Imported before",
  preview: "Preview",
} as const;

const labels: Record<string, string> = {
  receiver_id: "Receiver ID",
  account_id: "Account ID",
  bank_code: "Bank code (BSB, sort code)",
  dob: "Date of birth",
  dialcode: "Phone country code",
  address2: "Address line 2",
};

/** "receiver_email" is "Receiver email". */
export function fieldLabel(name: string): string {
  const words = name.replaceAll("_", " ");
  return labels[name] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
