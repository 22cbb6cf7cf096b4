// The comma-separated records of BNZ and Kiwibank, and those that ANZ imports into a batch: one shape, other lengths.

import { type CharacterSet, characterSet } from "../characters.ts";
import type { DateOrder } from "../file-dates.ts";
import { delimitedLayout } from "../record-layout.ts";

type Lengths = {
  ourAccount: number;
  account: number;
  amount: number;
  date: number;
  payeeName: number;
  total: number;
  count: number;
};

function headerLayout({ ourAccount, date }: Lengths) {
  return delimitedLayout({
    recordType: [1, 1, "digits", "record type"],
    authorisation: [2, 16, "text", "authorisation code"],
    batchNumber: [3, 2, "text", "batch number"],
    batchSequence: [4, 4, "text", "sequence number of the batch"],
    ourAccount: [5, ourAccount, "text", "account number"],
    batchType: [6, 1, "text", "batch type"],
    dueDate: [7, date, "text", "due date"],
    createdDate: [8, date, "text", "creation date"],
    indicator: [9, 12, "text", "indicator"],
  });
}

function paymentLayout({ account, amount, payeeName }: Lengths) {
  return delimitedLayout({
    recordType: [1, 1, "digits", "record type"],
    account: [2, account, "text", "account number"],
    transactionCode: [3, 2, "text", "transaction code"],
    amount: [4, amount, "number", "amount"],
    payeeName: [5, payeeName, "text", "payee's name"],
    payeeReference: [6, 12, "text", "payee's reference"],
    payeeCode: [7, 12, "text", "payee's code"],
    payeeAlphaReference: [8, 12, "text", "payee's alpha reference"],
    payeeParticulars: [9, 12, "text", "payee's particulars"],
    ourName: [10, 20, "text", "payer's name"],
    ourCode: [11, 12, "text", "payer's code"],
    ourReference: [12, 12, "text", "payer's reference"],
    ourParticulars: [13, 12, "text", "payer's particulars"],
  });
}

function trailerLayout({ total, count }: Lengths) {
  return delimitedLayout({
    recordType: [1, 1, "digits", "record type"],
    total: [2, total, "number", "total amount"],
    count: [3, count, "number", "number of payments"],
    hashTotal: [4, 11, "number", "hash total"],
  });
}

export type MtsProfile = {
  format: "nz-anz" | "nz-bnz";
  header: ReturnType<typeof headerLayout>;
  payment: ReturnType<typeof paymentLayout>;
  trailer: ReturnType<typeof trailerLayout>;
  dateOrder: DateOrder;
  accountLengths: readonly number[];
  /** Whether the header's account, type and dates count. ANZ takes them from the batch on its screen. */
  usesHeader: boolean;
  /** Whether the bank takes other transaction codes than those that it lists. */
  hasOtherCodes: boolean;
  /** Whether the hash total has zeros before it. */
  fillsHashTotal: boolean;
  characters: CharacterSet;
  limits: { count: number; amount: bigint; total: bigint };
};

function profile(
  lengths: Lengths,
  rest: Omit<MtsProfile, "header" | "payment" | "trailer">,
): MtsProfile {
  return {
    header: headerLayout(lengths),
    payment: paymentLayout(lengths),
    trailer: trailerLayout(lengths),
    ...rest,
  };
}

/** BNZ and Kiwibank. The characters are Kiwibank's; BNZ publishes none. */
export const bnzProfile = profile(
  { ourAccount: 16, account: 16, amount: 12, date: 6, payeeName: 20, total: 20, count: 6 },
  {
    format: "nz-bnz",
    dateOrder: "YYMMDD",
    accountLengths: [15, 16],
    usesHeader: true,
    hasOtherCodes: true,
    fillsHashTotal: true,
    characters: characterSet("(+$*!);-/?:'=&<>._@#%"),
    // BNZ's limit for payments with a statement line each. Such a file is below Kiwibank's 10 MB. BNZ's total has 12 digits.
    limits: { count: 49_999, amount: 999_999_999_999n, total: 999_999_999_999n },
  },
);

/** ANZ, "Detail Import (with Control Record)". */
export const anzProfile = profile(
  { ourAccount: 16, account: 17, amount: 10, date: 8, payeeName: 32, total: 11, count: 5 },
  {
    format: "nz-anz",
    dateOrder: "YYYYMMDD",
    accountLengths: [15, 16, 17],
    usesHeader: false,
    hasOtherCodes: false,
    fillsHashTotal: false,
    // ANZ takes all that a keyboard has, but for the comma. Quotation marks confuse readers of such files.
    characters: characterSet("!#$%&'()*+-./:;<=>?@[\\]^_`{|}~"),
    limits: { count: 99_999, amount: 9_999_999_999n, total: 99_999_999_999n },
  },
);

export const mtsCreditCodes: ReadonlySet<string> = new Set(["50", "52"]);
export const mtsDebitCode = "00";
export const mtsBatchTypes = { credit: "7", debit: "6" };
