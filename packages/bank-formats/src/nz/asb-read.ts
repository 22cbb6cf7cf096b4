// Reads ASB's MT9 files of direct credits and direct debits. Yields records, and reports all that is wrong.

import { printableAscii } from "../characters.ts";
import { type DateOrder, readFileDate } from "../file-dates.ts";
import { type FileLine, firstLines, recordLines } from "../file-lines.ts";
import { quoteAccount, quoteField } from "../quoting.ts";
import { type RecordReader, readFixed } from "../record-reader.ts";
import { addTo, FileProblems, type FileReport, type Sums } from "../report.ts";
import { doubtAbout } from "./accounts.ts";
import {
  asbCharacters,
  asbDebitCode,
  asbFileTypes,
  asbHeaderLayout,
  asbKnownCodes,
  asbPaymentLayout,
  asbTrailerLayout,
  asbTrailerStart,
} from "./asb-layouts.ts";
import { NzBatch } from "./batch.ts";
import type { NzHeader, NzPayment, NzRecord, NzTrailer } from "./records.ts";

export function recognisesAsb(text: string): boolean {
  const [first = "", second = ""] = firstLines(text, 2);
  if (/^(?:12|13|20)\d{13}/.test(first) && first.length > 100) return true;
  return /^(?:12|20)[^,]{16}/.test(first) && /^13\d{13}/.test(second);
}

/** A payment to bank 99, a number that no bank has yet, begins as a trailer does, but has a transaction code. */
function isTrailer(line: string): boolean {
  return line.startsWith(asbTrailerStart) && !/^\d{3}$/.test(line.slice(18, 21));
}

export function* readAsb(text: string): Generator<NzRecord, FileReport, void> {
  const problems = new FileProblems();
  const totals = new Map<string, Sums>();
  const batch = new NzBatch(problems);
  let fileType = "";
  let count = 0;
  for (const line of recordLines(text, problems)) {
    const type = line.text.slice(0, 2);
    if (Object.values(asbFileTypes).includes(type)) {
      batch.open(line.number);
      fileType = type;
      yield readHeader(line, problems);
    } else if (isTrailer(line.text)) {
      yield readTrailer(line, batch, problems);
    } else if (type === "13") {
      const payment = readPayment(line, fileType, problems);
      batch.add(payment);
      addTo(totals, "NZD", payment.direction, payment.amount);
      count += 1;
      yield payment;
    } else {
      const message = `the record type must be 12, 13 or 20, but is ${quoteField(type)}`;
      problems.error(line.number, 1, message);
    }
  }
  batch.end();
  return { format: "nz-asb", problems: problems.all, count, totals };
}

/** ASB takes years of two and of four digits, and these before or after the day. No date is two of them. */
const dateOrders: readonly DateOrder[] = ["YYYYMMDD", "DDMMYYYY", "DDMMYY"];

function readHeader(line: FileLine, problems: FileProblems): NzHeader {
  const record = readFixed(line, asbHeaderLayout, problems);
  checkCharacters(record);
  record.blanks();
  const account = readParts(record);
  if (!/^\d\d[\d ]$/.test(record.raw("suffix"))) {
    record.mustBe("suffix", "2 digits and a space or a digit");
  }
  const date = record.text("dueDate").replace(/^(\d\d)\/(\d\d)\/(\d\d)$/, "$1$2$3");
  const dueDateOrder = dateOrders.find((order) => readFileDate(date, order)) ?? "YYYYMMDD";
  const dueDate = readFileDate(date, dueDateOrder);
  if (dueDate === undefined) record.date("dueDate", ...dateOrders);
  return {
    kind: "header",
    line: line.number,
    ourAccount: account + record.text("suffix"),
    ourName: record.text("ourName"),
    dueDate: dueDate ?? "",
    dueDateOrder,
    createdDate: "",
    other: { recordType: record.raw("recordType") },
  };
}

function readPayment(line: FileLine, fileType: string, problems: FileProblems): NzPayment {
  const record = readFixed(line, asbPaymentLayout, problems);
  checkCharacters(record);
  record.blanks();
  const transactionCode = record.raw("transactionCode");
  const direction: keyof Sums = transactionCode === asbDebitCode ? "debit" : "credit";
  if (!/^\d{3}$/.test(transactionCode)) record.mustBe("transactionCode", "3 digits");
  else if (direction === "debit" && fileType === asbFileTypes.credit) {
    record.mustBe("transactionCode", "that of a credit, because the file type is 12");
  } else if (direction === "credit" && !asbKnownCodes.has(transactionCode)) {
    record.shouldBe("transactionCode", "050, 051, 052 or 000");
  }
  return {
    kind: "payment",
    line: line.number,
    account: readAccount(record),
    transactionCode,
    direction,
    amount: record.amount("amount"),
    payeeName: record.requireText("payeeName"),
    payeeParticulars: record.text("payeeParticulars"),
    payeeCode: record.text("payeeCode"),
    payeeReference: record.text("payeeReference"),
    ourName: record.text("ourName"),
    ourParticulars: record.text("ourParticulars"),
    ourCode: record.text("ourCode"),
    ourReference: record.text("ourReference"),
    other: { internalReference: record.text("internalReference") },
  };
}

type AccountReader = Pick<
  RecordReader<"bank" | "branch" | "base" | "suffix">,
  "raw" | "text" | "digits" | "mustBe" | "warning"
>;

function readParts(record: AccountReader): string {
  return record.digits("bank") + record.digits("branch") + record.digits("base", quoteAccount);
}

/** A suffix of two digits has a space on either side. */
function readAccount(record: AccountReader): string {
  const digits = readParts(record);
  const suffix = record.text("suffix");
  if (!/^(?:\d{3}|\d\d | \d\d)$/.test(record.raw("suffix"))) {
    record.mustBe("suffix", "3 digits, or 2 digits and a space");
  } else if (digits.length === 13) {
    const parts = { bank: digits.slice(0, 2), branch: digits.slice(2, 6), base: digits.slice(6) };
    const doubt = doubtAbout({ ...parts, suffix });
    if (doubt !== undefined) record.warning("bank", doubt);
  }
  return digits + suffix;
}

function checkCharacters(record: Pick<RecordReader<never>, "characters">): void {
  if (!record.characters(printableAscii, "error")) record.characters(asbCharacters, "warning");
}

function readTrailer(line: FileLine, batch: NzBatch, problems: FileProblems): NzTrailer {
  batch.close(line.number);
  const record = readFixed(line, asbTrailerLayout, problems);
  record.blanks();
  // ASB looks at the check total only where there is one.
  const hashTotal = record.text("hashTotal");
  if (/^0*$/.test(hashTotal)) record.shouldBe("hashTotal", "given");
  else batch.compareHash(record, "hashTotal");
  const total = batch.compareTotal(record, "total");
  return {
    kind: "trailer",
    line: line.number,
    credit: total,
    debit: 0n,
    count: undefined,
    hashTotal,
  };
}
