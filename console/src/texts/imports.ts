// Shared texts of imports, of payouts, of receivers and of accounts, and the names of their fields.

import { countText } from "../state/locale.ts";

export const importsTexts = {
  row: "Row",
  ready: "Ready",
  problem: "Problem",
  duplicate: "Duplicate email",
  alreadyImported: "Imported before",
  exists: "Receiver has it",
  preview: "Preview",
  newReceiver: "New receiver and account",
  newAccount: "New account",
  accountWaits: "Account awaits approval",
  identityCheck: "Receiver awaits identity check",
  accountDeclined: "Account was declined",
  receiverBlocked: "Receiver can't be paid",
  readyNow: "Nothing, ready to pay",
} as const;

const labels: Record<string, string> = {
  receiver_id: "Receiver ID",
  account_id: "Account ID",
  bank_code: "Bank code (BSB, sort code)",
  dob: "Date of birth",
  dialcode: "Dial code",
  address2: "Address line 2",
};

/** "receiver_email" is "Receiver email". */
export function fieldLabel(name: string): string {
  const words = name.replaceAll("_", " ");
  return labels[name] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

const list = new Intl.ListFormat("en-GB");

/** "2 receivers, 1 account and 3 payouts" */
export function countsText(counts: { receivers: number; accounts: number; payouts?: number }) {
  const words = { receivers: "receiver", accounts: "account", payouts: "payout" };
  return list.format(
    (Object.keys(words) as (keyof typeof words)[]).flatMap((name) => {
      const { [name]: count = 0 } = counts;
      return count === 0 ? [] : [`${countText(count)} ${words[name]}${count === 1 ? "" : "s"}`];
    }),
  );
}
