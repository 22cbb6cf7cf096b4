// Shared texts of the screens below bank-inbound/, and of reports that wait in suspense.

import { moneyText, type Sum } from "../state/money.ts";

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

const openReports: Record<string, string> = {
  return: "Return that fits no payout",
  rejection: "Rejection that fits no payout",
  settled: "Payment that fits no payout",
  debited: "Debit that fits no payout",
  accepted: "Acceptance that fits no payout",
  change: "Corrected bank details that can't be proposed",
  credit: "Unidentified credit",
};

type ReportFacts = { amount: Sum | null; currency: string; party: string };

/** "Unidentified credit 480.00 AUD from J SMITH" */
export function reportTitle(
  kind: string,
  { amount, currency, party }: ReportFacts,
  isOpen = true,
): string {
  const what = (isOpen && openReports[kind]) || reportKinds[kind] || "Report";
  const money = amount === null ? "" : moneyText(amount, currency);
  return [what, money, party && `from ${party}`].filter(Boolean).join(" ");
}

export const daysText = (days: number) =>
  days === 0 ? "today" : days === 1 ? "1 day" : `${days} days`;

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
