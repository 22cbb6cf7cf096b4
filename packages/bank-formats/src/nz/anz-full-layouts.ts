// The comma-separated records of ANZ's full file import, which names our account and the day itself.

import { delimitedLayout } from "../record-layout.ts";

export const anzFullHeaderLayout = delimitedLayout({
  recordType: [1, 1, "digits", "record type"],
  batchType: [2, 1, "text", "batch type"],
  dueDate: [3, 8, "text", "payment date"],
  time: [4, 4, "text", "payment time"],
  createdDate: [5, 8, "text", "creation date"],
  ourAccount: [6, 16, "text", "funds account"],
  authorisation: [7, 7, "text", "direct debit code"],
  reporting: [8, 1, "text", "reporting method"],
  dishonourAccount: [9, 16, "text", "dishonour account"],
  batchName: [10, 12, "text", "batch name"],
  ourParticulars: [11, 12, "text", "payer's particulars"],
  ourCode: [12, 12, "text", "payer's code"],
  ourReference: [13, 12, "text", "payer's reference"],
  reserved1: [14, 12, "blank", "reserved field"],
  reserved2: [15, 12, "blank", "reserved field"],
  reserved3: [16, 12, "blank", "reserved field"],
});

export const anzFullPaymentLayout = delimitedLayout({
  recordType: [1, 1, "digits", "record type"],
  account: [2, 17, "text", "account number"],
  transactionCode: [3, 2, "text", "transaction code"],
  amount: [4, 10, "number", "amount"],
  payeeName: [5, 32, "text", "payee's name"],
  payeeParticulars: [6, 12, "text", "payee's particulars"],
  payeeCode: [7, 12, "text", "payee's code"],
  payeeReference: [8, 12, "text", "payee's reference"],
  ourParticulars: [9, 12, "text", "payer's particulars"],
  ourCode: [10, 12, "text", "payer's code"],
  ourReference: [11, 12, "text", "payer's reference"],
  reserved1: [12, 12, "blank", "reserved field"],
  reserved2: [13, 12, "blank", "reserved field"],
  reserved3: [14, 12, "blank", "reserved field"],
});

export const anzFullTrailerLayout = delimitedLayout({
  recordType: [1, 1, "digits", "record type"],
  debit: [2, 10, "number", "debit total"],
  credit: [3, 10, "number", "credit total"],
  count: [4, 6, "number", "number of payments"],
  hashTotal: [5, 11, "number", "hash total"],
  reserved1: [6, 12, "blank", "reserved field"],
  reserved2: [7, 12, "blank", "reserved field"],
  reserved3: [8, 12, "blank", "reserved field"],
});

export const anzBatchTypes = { credit: "C", debit: "D" };
/** ANZ shows one line for a batch on our statement, or one for each payment. */
export const anzReportingMethods = { single: "S", multiple: "M" };
/** What ten and six digits can say. */
export const anzFullLimits = { count: 999_999, amount: 9_999_999_999n, total: 9_999_999_999n };
