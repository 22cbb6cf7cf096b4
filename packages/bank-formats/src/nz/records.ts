// The records of files of banks in New Zealand, as their readers give them and their writers take them.

import type { DateOrder } from "../file-dates.ts";
import type { Sums } from "../report.ts";

type Place = {
  line: number;
  /** Between commas, where it is another than the layout has. */
  fieldCount?: number | undefined;
};

export type NzHeader = Place & {
  kind: "header";
  /** Our account: its digits as they are in the file. Empty where the file does not name it. */
  ourAccount: string;
  ourName: string;
  /** YYYY-MM-DD; empty where the file has none. */
  dueDate: string;
  /** Some banks take several. */
  dueDateOrder: DateOrder;
  createdDate: string;
  /** Other fields of the bank's own layout, as they are in the file. */
  other: Readonly<Record<string, string>>;
};

export type NzPayment = Place & {
  kind: "payment";
  /** The digits as they are in the file: bank, branch, base, suffix. */
  account: string;
  transactionCode: string;
  direction: keyof Sums;
  amount: bigint;
  /** The other party, and what its statement shows. */
  payeeName: string;
  payeeParticulars: string;
  payeeCode: string;
  payeeReference: string;
  /** Our name, and what our own statement shows. */
  ourName: string;
  ourParticulars: string;
  ourCode: string;
  ourReference: string;
  other: Readonly<Record<string, string>>;
};

export type NzTrailer = Place & {
  kind: "trailer";
  credit: bigint;
  debit: bigint;
  /** Undefined where the format has no such field. */
  count: number | undefined;
  /** As it is in the file; may be empty. */
  hashTotal: string;
};

export type NzRecord = NzHeader | NzPayment | NzTrailer;
