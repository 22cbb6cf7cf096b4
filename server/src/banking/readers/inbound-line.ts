// What a bank reports about a payment or about one of our files, in one shape for all formats. Pure.

import type { BankCodeScheme, FileReport } from "../../../../packages/bank-formats/src/index.ts";

/**
 * "debited": only our own account is settled. "change": the payment went through, and the bank corrects the payee's
 * details. "credit": money that is no return. "other": a person has to look at it.
 */
export type InboundKind =
  | "return"
  | "rejection"
  | "settled"
  | "debited"
  | "accepted"
  | "change"
  | "credit"
  | "other";

/** The payee's details as the bank corrects them. Those that stay are absent. */
export type BankCorrection = { bankCode?: string; accountNumber?: string };

export type InboundLine = {
  /** From 1. Several reports may be on one line. */
  line: number;
  kind: InboundKind;
  scheme: BankCodeScheme;
  code: string;
  /** The bank's own words. */
  text: string;
  /** The payout that the report names by our reference; empty where it names none. */
  payoutId: string;
  /** The bank batch that it names. */
  batchId: string;
  /** Whether the report is about a whole file of ours. */
  isWholeFile: boolean;
  /** The payee's account, where the bank repeats it; `bank` is the BSB or routing number, or its beginning. */
  payee: { bank: string; account: string };
  /** What the receiver would have seen. */
  reference: string;
  /** Which payment of our file it was; 0 where the bank does not say. */
  fileLine: number;
  /** YYYY-MM-DD; empty where the bank does not say. */
  day: string;
  /** `day` is when the payment was processed, or when at the latest. */
  dayMeaning: "processed" | "until";
  amount: bigint | undefined;
  currency: string;
  /** Our account, or our identification, as the bank writes it; empty where it does not. */
  ours: string;
  /** What else tells this report apart from others about the same payment. */
  item: string;
  correction: BankCorrection | undefined;
};

export type InboundLines = Generator<InboundLine, FileReport, void>;

export const emptyLine = {
  payoutId: "",
  batchId: "",
  isWholeFile: false,
  payee: { bank: "", account: "" },
  reference: "",
  fileLine: 0,
  day: "",
  dayMeaning: "processed",
  amount: undefined,
  currency: "",
  ours: "",
  item: "",
  correction: undefined,
} as const satisfies Partial<InboundLine>;

/**
 * Equal for the same report in overlapping files, and for nothing else. A report that names nothing is never the same as
 * one of another file.
 */
export function itemTextOf(line: InboundLine, fileId: string): string {
  const { kind, code, day, amount, item, payoutId, batchId, reference } = line;
  const { bank, account } = line.payee;
  const about =
    payoutId || batchId
      ? [payoutId || batchId, payoutId !== ""]
      : [bank, account, reference, line.fileLine, account || reference ? "" : fileId];
  return JSON.stringify([kind, ...about, code, day, String(amount), item]);
}

/** A payout or batch id from a reference of 32 digits; empty where it is none. */
export function idInReference(reference: string): string {
  const digits = reference.trim().replaceAll("-", "").toLowerCase();
  if (!/^[0-9a-f]{32}$/.test(digits)) return "";
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** What the lines of a file say about whose they are. */
export type FileOwner = { ours: Set<string>; batchId: string; payoutId: string };
