// Shared texts of the screens below bank-inbound/.

const reportKinds: Record<string, string> = {
  return: "Return",
  rejection: "Rejection",
  settled: "Paid",
  debited: "Debited",
  accepted: "Accepted",
  change: "Corrected bank details",
  credit: "Credit",
  other: "Other report",
};

export const inboundTexts = {
  fromBanks: "Files from banks",
  fileFromBank: "File from a bank",
  apply: "Apply a file",
  format: "Format",
  bank: "Bank",
  reports: "Reports",
  appliedCount: "Applied",
  suspended: "In suspense",
  repeated: "Repeated",
  received: "Received",
  report: (kind: string, code: string) =>
    [reportKinds[kind] ?? kind, code && `code ${code}`].filter(Boolean).join(", "),
} as const;
