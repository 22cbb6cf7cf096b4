// The records of ABA files (Direct Entry): 120 characters each, with every position in these tables only.

import { characterSet } from "../characters.ts";
import { fixedLayout } from "../record-layout.ts";

export const abaCharacters = characterSet("&',-./+$!%()*#=:?[]_^@");

const recordLength = 120;

export const abaHeaderLayout = fixedLayout(recordLength, {
  recordType: [1, 1, "digits", "record type"],
  // Most banks leave our account blank; some want it here.
  bsb: [2, 7, "text", "BSB"],
  account: [9, 9, "right", "account number"],
  filler1: [18, 1, "blank", "filler"],
  reel: [19, 2, "digits", "sequence number"],
  mnemonic: [21, 3, "text", "bank's abbreviation"],
  filler2: [24, 7, "blank", "filler"],
  userName: [31, 26, "text", "user name"],
  userId: [57, 6, "digits", "user ID"],
  description: [63, 12, "text", "description"],
  processDate: [75, 6, "digits", "process date"],
  time: [81, 4, "text", "time"],
  filler3: [85, 36, "blank", "filler"],
});

export const abaPaymentLayout = fixedLayout(recordLength, {
  recordType: [1, 1, "digits", "record type"],
  bsb: [2, 7, "text", "BSB"],
  account: [9, 9, "right", "account number"],
  indicator: [18, 1, "text", "indicator"],
  transactionCode: [19, 2, "digits", "transaction code"],
  amount: [21, 10, "digits", "amount"],
  title: [31, 32, "text", "account title"],
  reference: [63, 18, "text", "lodgement reference"],
  traceBsb: [81, 7, "text", "trace BSB"],
  traceAccount: [88, 9, "right", "trace account number"],
  remitter: [97, 16, "text", "remitter"],
  withholdingTax: [113, 8, "digits", "withholding tax"],
});

/** The accounts are swapped: the first is ours, the trace account is the payee's. */
export const abaReturnLayout = fixedLayout(recordLength, {
  recordType: [1, 1, "digits", "record type"],
  bsb: [2, 7, "text", "BSB"],
  account: [9, 9, "right", "account number"],
  returnCode: [18, 1, "text", "return code"],
  transactionCode: [19, 2, "digits", "transaction code"],
  amount: [21, 10, "digits", "amount"],
  title: [31, 32, "text", "account title"],
  reference: [63, 18, "text", "lodgement reference"],
  traceBsb: [81, 7, "text", "trace BSB"],
  traceAccount: [88, 9, "right", "trace account number"],
  remitter: [97, 16, "text", "remitter"],
  originalDay: [113, 2, "digits", "original day"],
  originalUserId: [115, 6, "digits", "original user ID"],
});

export const abaTrailerLayout = fixedLayout(recordLength, {
  recordType: [1, 1, "digits", "record type"],
  bsb: [2, 7, "text", "BSB"],
  filler1: [9, 12, "blank", "filler"],
  net: [21, 10, "digits", "net total"],
  credit: [31, 10, "digits", "credit total"],
  debit: [41, 10, "digits", "debit total"],
  filler2: [51, 24, "blank", "filler"],
  count: [75, 6, "digits", "number of records"],
  filler3: [81, 40, "blank", "filler"],
});

/** The BSB of every last record, which belongs to no branch. */
export const trailerBsb = "999-999";

export const debitCode = "13";
/** General; securities, family payments, pay, pensions, allotments, dividends and debentures follow. */
export const generalCreditCode = "50";
export const creditCodes: ReadonlySet<string> = new Set("50 51 52 53 54 55 56 57".split(" "));

/** What ten digits can say. */
export const abaTotalMax = 9_999_999_999n;
export const abaCountMax = 999_999;
