// What reading a BAI2 file yields: accounts with their balances and totals, and transactions.

import type { Sums } from "../report.ts";

/** A balance or a total of an account, such as 015: closing ledger balance. */
export type Bai2Summary = {
  typeCode: string;
  /** Minor units, with a sign. */
  amount: bigint;
};

export type Bai2Account = {
  kind: "account";
  line: number;
  accountNumber: string;
  currency: string;
  /** YYYY-MM-DD; empty where the group names no date. */
  asOfDate: string;
  /** 1 an update, 2 a deletion, 3 a correction, 4 a test; empty where the group does not say. */
  groupStatus: string;
  /** 1 and 3 are interim figures, 2 and 4 final ones; empty where the group does not say. */
  asOfModifier: string;
  summaries: Bai2Summary[];
};

export type Bai2Transaction = {
  kind: "transaction";
  line: number;
  account: Bai2Account | undefined;
  currency: string;
  typeCode: string;
  /** Undefined for codes that move no money, such as 890. */
  direction: keyof Sums | undefined;
  amount: bigint;
  /** YYYY-MM-DD; empty where the record names no date. */
  valueDate: string;
  bankReference: string;
  customerReference: string;
  text: string;
};

export type Bai2Record = Bai2Account | Bai2Transaction;
