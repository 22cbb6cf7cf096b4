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
  /** Of the account, ISO 3166 alpha-3. */
  country: string;
  bsb: string;
  bankCode: string;
  accountNumber: string;
  payeeName: string;
  isBusiness: boolean;
  /** United States only. */
  accountType: "checking" | "savings";
  address: PostalAddress | undefined;
  /** What the receiver sees on the statement; never empty. */
  statementReference: string;
  /** The payer's name that the receiver sees; the connection's where it is empty. */
  statementName: string;
  /** ISO 20022 external purpose code, such as SALA; may be empty. */
  purpose: string;
};

/** What is wrong with a payment under a format. */
export type PaymentProblem = { field: keyof Payment; message: string };

/** What all files of a connection have, beside the settings of its format. */
export type FileFacts = {
  /** Unique for each file, a UUID. */
  fileId: string;
  /** Counts the files of a connection, from 1. */
  sequence: number;
  /** YYYY-MM-DD: the day on which the bank is to pay. */
  processDate: string;
  createdAtMs: number;
};

/** A format that files are written in. `Settings` are facts of our own account at the bank. */
export type PaymentFormat<Settings> = {
  name: string;
  /** Why the format can't carry the payment. */
  problemsOf(payment: Payment, settings: Settings): PaymentProblem[];
  /** The most that one file can carry. */
  limits: { count: number; total: bigint };
  /** Pure: the same payments give the same bytes. In portions, because a file may be large. */
  write(
    facts: FileFacts,
    settings: Settings,
    payments: Iterable<Payment>,
  ): Generator<string, void, void>;
};
