// Reads ABA files: payments, and returns of payments. Yields records, and reports all that is wrong.

import { findBankCode } from "../bank-codes.ts";
import { type FileLine, firstLines, recordLines } from "../file-lines.ts";
import { quoteAccount, quoteField } from "../quoting.ts";
import { type RecordReader, readFixed } from "../record-reader.ts";
import { addTo, FileProblems, type FileReport, type Sums } from "../report.ts";
import { AbaBatch } from "./batch.ts";
import {
  abaCharacters,
  abaHeaderLayout,
  abaPaymentLayout,
  abaReturnLayout,
  abaTrailerLayout,
  creditCodes,
  debitCode,
} from "./layouts.ts";
import type { AbaHeader, AbaPayment, AbaRecord, AbaReturn } from "./records.ts";

const detail = /^[127]\d{3}-\d{3}/;

export function recognisesAba(text: string): boolean {
  const [first = "", second = ""] = firstLines(text, 2);
  if (detail.test(first)) return true;
  if (!first.startsWith("0")) return false;
  return /^0(?: {10}|\d{3}-\d{3})/.test(first) || detail.test(second);
}

export function* readAba(text: string): Generator<AbaRecord, FileReport, void> {
  const problems = new FileProblems();
  const totals = new Map<string, Sums>();
  const batch = new AbaBatch(problems);
  let count = 0;
  for (const line of recordLines(text, problems)) {
    const type = line.text[0];
    if (type === "0") {
      batch.open(line.number);
      yield readHeader(line, problems);
    } else if (type === "1" || type === "2") {
      const record = type === "1" ? readPayment(line, problems) : readReturn(line, problems);
      batch.add(record);
      addTo(totals, "AUD", record.direction, record.amount);
      count += 1;
      yield record;
    } else if (type === "7") {
      batch.close(readFixed(line, abaTrailerLayout, problems));
    } else {
      const message = `the record type must be 0, 1, 2 or 7, but is ${quoteField(type ?? "")}`;
      problems.error(line.number, 1, message);
    }
  }
  batch.end();
  return { format: "aba", problems: problems.all, count, totals };
}

function readHeader(line: FileLine, problems: FileProblems): AbaHeader {
  const record = readFixed(line, abaHeaderLayout, problems);
  record.characters(abaCharacters, "error");
  record.blanks();
  if (record.text("bsb") !== "") readBsb(record, "bsb");
  if (record.text("account") !== "") readAccount(record, "account");
  if (record.number("reel") === 0n) record.mustBe("reel", "01 or the number of the reel");
  const mnemonic = record.raw("mnemonic");
  if (!/^[A-Z0-9]{3}$/.test(mnemonic)) record.mustBe("mnemonic", "3 capital letters");
  if (!/^(?: {4}|([01]\d|2[0-3])[0-5]\d)$/.test(record.raw("time"))) {
    record.shouldBe("time", "blank or HHMM");
  }
  return {
    kind: "header",
    line: line.number,
    bsb: record.text("bsb").replace("-", ""),
    account: record.text("account"),
    mnemonic: mnemonic.trim(),
    userName: record.requireText("userName"),
    userId: record.digits("userId"),
    description: record.requireText("description"),
    processDate: record.date("processDate", "DDMMYY"),
  };
}

function readPayment(line: FileLine, problems: FileProblems): AbaPayment {
  const record = readFixed(line, abaPaymentLayout, problems);
  record.characters(abaCharacters, "error");
  const indicator = record.raw("indicator");
  if (!" NTWXY".includes(indicator)) record.mustBe("indicator", "blank, N, T, W, X or Y");
  if (record.text("reference") === "") record.shouldBe("reference", "given");
  if (record.text("remitter") === "") record.shouldBe("remitter", "given");
  return {
    kind: "payment",
    line: line.number,
    bsb: readBsb(record, "bsb"),
    account: readAccount(record, "account"),
    indicator: indicator.trim(),
    ...readTransaction(record),
    title: record.requireText("title"),
    reference: record.text("reference"),
    traceBsb: readBsb(record, "traceBsb"),
    traceAccount: readAccount(record, "traceAccount"),
    remitter: record.text("remitter"),
    withholdingTax: record.number("withholdingTax"),
  };
}

function readReturn(line: FileLine, problems: FileProblems): AbaReturn {
  const record = readFixed(line, abaReturnLayout, problems);
  // A bank returns what it was given, so an odd character must not stop the whole file.
  record.characters(abaCharacters, "warning");
  const returnCode = record.text("returnCode");
  if (!/^\d$/.test(returnCode)) record.mustBe("returnCode", "1 digit");
  else if (!findBankCode("becs", returnCode)) record.shouldBe("returnCode", "1 to 6, 8 or 9");
  const originalDay = record.raw("originalDay");
  if (!/^(0[1-9]|[12]\d|3[01])$/.test(originalDay)) record.shouldBe("originalDay", "01 to 31");
  const originalUserId = record.raw("originalUserId");
  if (!/^\d{6}$/.test(originalUserId)) record.shouldBe("originalUserId", "6 digits");
  return {
    kind: "return",
    line: line.number,
    returnCode,
    ...readTransaction(record),
    title: record.text("title"),
    reference: record.text("reference"),
    ourBsb: readBsb(record, "bsb"),
    ourAccount: readAccount(record, "account"),
    payeeBsb: readBsb(record, "traceBsb"),
    payeeAccount: readAccount(record, "traceAccount"),
    remitter: record.text("remitter"),
    originalDay: originalDay.trim(),
    originalUserId: originalUserId.trim(),
  };
}

type TransactionReader = Pick<
  RecordReader<"transactionCode" | "amount">,
  "raw" | "mustBe" | "amount"
>;

function readTransaction(record: TransactionReader) {
  const transactionCode = record.raw("transactionCode");
  const direction: keyof Sums = transactionCode === debitCode ? "debit" : "credit";
  if (direction === "credit" && !creditCodes.has(transactionCode)) {
    record.mustBe("transactionCode", "13 or 50 to 57");
  }
  return { transactionCode, direction, amount: record.amount("amount") };
}

function readBsb<Name extends string>(record: RecordReader<Name>, name: Name): string {
  const raw = record.raw(name);
  if (!/^\d{3}-\d{3}$/.test(raw)) record.mustBe(name, "6 digits as nnn-nnn");
  return raw.trim().replace("-", "");
}

function readAccount<Name extends string>(record: RecordReader<Name>, name: Name): string {
  const raw = record.raw(name);
  const account = raw.trim();
  if (!/^[0-9A-Za-z -]*$/.test(account)) {
    record.mustBe(name, "digits, letters and hyphens", quoteAccount(account));
  } else if (/^[0 -]*$/.test(account)) {
    record.mustBe(name, "given and not all zeros");
  } else if (raw.endsWith(" ")) {
    record.shouldBe(name, "at the right of its field", "not");
  }
  return account;
}
