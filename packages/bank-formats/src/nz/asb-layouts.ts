// The records of ASB's MT9 files: 160 characters each, with every position in these tables only.

import { characterSet } from "../characters.ts";
import { fixedLayout } from "../record-layout.ts";

export const asbCharacters = characterSet("()*+-=?[]_{}~/&,.'");

const recordLength = 160;

export const asbHeaderLayout = fixedLayout(recordLength, {
  recordType: [1, 2, "digits", "file type"],
  // Of direct debits, these four are the registration ID.
  bank: [3, 2, "digits", "bank number"],
  branch: [5, 4, "digits", "branch number"],
  base: [9, 7, "digits", "unique number"],
  suffix: [16, 3, "text", "suffix"],
  dueDate: [19, 13, "text", "due date"],
  ourName: [32, 20, "text", "client's short name"],
  filler: [52, 109, "blank", "filler"],
});

export const asbPaymentLayout = fixedLayout(recordLength, {
  recordType: [1, 2, "digits", "record type"],
  bank: [3, 2, "digits", "bank number"],
  branch: [5, 4, "digits", "branch number"],
  base: [9, 7, "digits", "unique number"],
  suffix: [16, 3, "text", "suffix"],
  transactionCode: [19, 3, "digits", "transaction code"],
  amount: [22, 10, "digits", "amount"],
  payeeName: [32, 20, "text", "payee's name"],
  internalReference: [52, 12, "text", "internal reference"],
  payeeCode: [64, 12, "text", "payee's code"],
  payeeReference: [76, 12, "text", "payee's reference"],
  payeeParticulars: [88, 12, "text", "payee's particulars"],
  filler1: [100, 1, "blank", "filler"],
  ourName: [101, 20, "text", "payer's name"],
  ourCode: [121, 12, "text", "payer's code"],
  ourReference: [133, 12, "text", "payer's reference"],
  ourParticulars: [145, 12, "text", "payer's particulars"],
  filler2: [157, 4, "blank", "filler"],
});

export const asbTrailerLayout = fixedLayout(recordLength, {
  recordType: [1, 2, "digits", "record type"],
  key: [3, 2, "digits", "key"],
  hashTotal: [5, 11, "text", "check total"],
  filler1: [16, 6, "blank", "filler"],
  total: [22, 10, "digits", "total amount"],
  filler2: [32, 129, "blank", "filler"],
});

/** Direct credits, and direct debits, which ASB calls receipts. */
export const asbFileTypes = { credit: "12", debit: "20" };
export const asbTrailerStart = "1399";
/** Credits of any kind, and salaries. ASB knows others, which it tells its customers. */
export const asbCreditCode = "051";
export const asbKnownCodes: ReadonlySet<string> = new Set(["050", "051", "052"]);
export const asbDebitCode = "000";

export const asbLimits = { count: 999_999, amount: 9_999_999_999n, total: 9_999_999_999n };
