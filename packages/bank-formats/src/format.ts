// The port to bank file formats: every format can recognise and read a file; some can be written.

import type { FileReport } from "./report.ts";

/** A format that files are recognised as and checked against. */
export type ReadableFormat = {
  /** Whether a file is of this format, by its content. It may be broken. */
  recognises(text: string): boolean;
  check(text: string): FileReport;
};

export type PostalAddress = {
  street: string;
  city: string;
  state: string;
  postcode: string;
  /** ISO 3166 alpha-3. */
  country: string;
};

/** A payout as a bank file needs it. */
export type Payment = {
  payoutId: string;
  /** Minor units, above zero. */
  amount: bigint;
  currency: string;
  /** The country of the account, ISO 3166 alpha-3. */
  country: string;
  bsb: string;
  bankCode: string;
  accountNumber: string;
  payeeName: string;
  isBusiness: boolean;
  /** United States only. */
  accountType: "checking" | "savings";
  address: PostalAddress | undefined;
  /** The reference on the receiver's statement; never empty. */
  statementReference: string;
  /** The payer's name on the receiver's statement. Empty: the connection's name. */
  statementName: string;
  /** ISO 20022 external purpose code, such as SALA; may be empty. */
  purpose: string;
};

/** A problem of a payment under a format. */
export type PaymentProblem = { field: keyof Payment; message: string };

/** The facts of one file, besides the settings of its format. */
export type FileFacts = {
  /** Unique for each file, a UUID. */
  fileId: string;
  /** Counts the files of a connection, from 1. */
  sequence: number;
  /** YYYY-MM-DD: the day on which the bank processes the file. Receivers may have the money later. */
  processDate: string;
  createdAtMs: number;
};

/** The number of payments in a file, and their sum. */
export type FileTotals = { count: number; total: bigint };

/**
 * Writes one file in portions, because it may be large and its payments come from the database page by page: the header,
 * each payment, the trailer. Pure: the same payments give the same bytes. The header is asked for last: some formats
 * state the totals there.
 */
export type FileWriter = {
  header(totals: FileTotals): string;
  payment(payment: Payment): string;
  trailer(): string;
};

/** A format that files are written in. `Settings` are facts of our own account at the bank. */
export type PaymentFormat<Settings> = {
  name: string;
  /** The reasons why the format can't carry the payment. Empty: it can. */
  problemsOf(payment: Payment, settings: Settings): PaymentProblem[];
  /** The most that one file can carry. */
  limits: { count: number; total: bigint };
  /** Payments to individuals have to come before those to businesses, as NACHA's batches need it. */
  separatesBusinesses?: true;
  /** What it carries of a statement reference; empty where it can carry none of it. */
  toReference(text: string): string;
  open(facts: FileFacts, settings: Settings): FileWriter;
};
