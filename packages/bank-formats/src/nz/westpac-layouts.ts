// The records of Westpac's Deskbank files: the same fields at fixed columns, or between commas.

import { characterSet } from "../characters.ts";
import { fixedLayout, type RecordLayout } from "../record-layout.ts";

/** Westpac refuses commas and quotation marks. */
export const westpacCharacters = characterSet("!#$%&'()*+-./:;<=>?@[\\]^_`{|}~");

const recordLength = 180;

export const westpacHeaderLayout = fixedLayout(recordLength, {
  recordType: [1, 1, "text", "record type"],
  sequence: [2, 6, "digits", "sequence number"],
  bank: [8, 2, "digits", "bank number"],
  branch: [10, 4, "digits", "branch number"],
  customerName: [14, 30, "text", "customer's name"],
  customerNumber: [44, 6, "text", "customer's number"],
  description: [50, 20, "text", "description"],
  dueDate: [70, 6, "text", "due date"],
  filler: [76, 105, "blank", "filler"],
});

export const westpacPaymentLayout = fixedLayout(recordLength, {
  recordType: [1, 1, "text", "record type"],
  sequence: [2, 6, "digits", "sequence number"],
  bank: [8, 2, "digits", "payee's bank number"],
  branch: [10, 4, "digits", "payee's branch number"],
  base: [14, 8, "digits", "payee's account number"],
  suffix: [22, 4, "digits", "payee's suffix"],
  transactionCode: [26, 2, "digits", "transaction code"],
  source: [28, 2, "text", "MTS source"],
  amount: [30, 15, "number", "amount"],
  payeeName: [45, 20, "text", "payee's name"],
  payeeParticulars: [65, 12, "text", "payee's particulars"],
  payeeCode: [77, 12, "text", "payee's analysis code"],
  payeeReference: [89, 12, "right", "payee's reference"],
  ourBank: [101, 2, "digits", "payer's bank number"],
  ourBranch: [103, 4, "digits", "payer's branch number"],
  ourBase: [107, 8, "digits", "payer's account number"],
  ourSuffix: [115, 4, "digits", "payer's suffix"],
  ourName: [119, 20, "text", "payer's name"],
  filler: [139, 42, "blank", "filler"],
});

/** The same fields between commas. */
export function delimitedForm<Name extends string>(layout: RecordLayout<Name>): RecordLayout<Name> {
  return { ...layout, length: 0 };
}

/** By transaction code: 50 and 52 (salaries) are credits, 00 is a debit. */
export const westpacSources: ReadonlyMap<string, string> = new Map([
  ["50", "DC"],
  ["52", "DC"],
  ["00", "DD"],
]);

/** Every account of a file is one of ours at Westpac. */
export const westpacBank = "03";

// The number of a record has six digits, and the header has one of them.
export const westpacLimits = {
  count: 999_998,
  amount: 999_999_999_999_999n,
  total: 999_999_999_999_999_999n,
};
