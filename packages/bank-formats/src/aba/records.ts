// The records of an ABA file, as its reader gives them.

import type { Sums } from "../report.ts";

export type AbaHeader = {
  kind: "header";
  line: number;
  /** Our own account; empty in the files of most banks. */
  bsb: string;
  account: string;
  mnemonic: string;
  userName: string;
  userId: string;
  description: string;
  /** YYYY-MM-DD; empty where it can't be read. */
  processDate: string;
};

export type AbaPayment = {
  kind: "payment";
  line: number;
  /** Six digits. */
  bsb: string;
  account: string;
  indicator: string;
  transactionCode: string;
  direction: keyof Sums;
  amount: bigint;
  title: string;
  reference: string;
  traceBsb: string;
  traceAccount: string;
  remitter: string;
  withholdingTax: bigint;
};

/** A payment that came back. */
export type AbaReturn = {
  kind: "return";
  line: number;
  returnCode: string;
  transactionCode: string;
  direction: keyof Sums;
  amount: bigint;
  title: string;
  reference: string;
  ourBsb: string;
  ourAccount: string;
  payeeBsb: string;
  payeeAccount: string;
  remitter: string;
  /** Day of the month on which the payment was processed, and the user ID that it was sent under. */
  originalDay: string;
  originalUserId: string;
};

export type AbaRecord = AbaHeader | AbaPayment | AbaReturn;
