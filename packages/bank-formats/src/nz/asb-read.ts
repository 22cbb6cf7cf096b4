// Reads ASB's MT9 files of direct credits and direct debits. Yields records, and reports all that is wrong.

import { type DateOrder, readFileDate } from "../file-dates.ts";
import { firstLines } from "../file-lines.ts";
import { quoteAccount } from "../quoting.ts";
import { type RecordReader, readFixed } from "../record-reader.ts";
import type { Sums } from "../report.ts";
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
import {
  checkCharacters,
  headerOf,
  type NzReader,
  paymentOf,
  readNzFile,
  textsOf,
} from "./reader.ts";

export function recognisesAsb(text: string): boolean {
  const [first = "", second = ""] = firstLines(text, 2);
  if (/^(?:12|13|20)\d{13}/.test(first) && first.length > 100) return true;
  return /^(?:12|20)[^,]{16}/.test(first) && /^13\d{13}/.test(second);
}

/** A payment to bank 99, a number that no bank has yet, begins as a trailer does, but has a transaction code. */
function isTrailer(line: string): boolean {
  return line.startsWith(asbTrailerStart) && !/^\d{3}$/.test(line.slice(18, 21));
}

/** ASB takes years of two and of four digits, and these before or after the day. No date is two of them. */
const dateOrders: readonly DateOrder[] = ["YYYYMMDD", "DDMMYYYY", "DDMMYY"];

const asbReader: NzReader = {
  format: "nz-asb",
  typeOf: (line) => (isTrailer(line) ? asbTrailerStart : line.slice(0, 2)),
  kinds: { "12": "header", "20": "header", "13": "payment", [asbTrailerStart]: "trailer" },
  types: "12, 13 or 20",
  header(line, { problems }) {
    const record = readFixed(line, asbHeaderLayout, problems);
    checkCharacters(record, asbCharacters);
    record.blanks();
    const account = readParts(record);
    if (!/^\d\d[\d ]$/.test(record.raw("suffix"))) {
      record.mustBe("suffix", "2 digits and a space or a digit");
    }
    const date = record.text("dueDate").replace(/^(\d\d)\/(\d\d)\/(\d\d)$/, "$1$2$3");
    const dueDateOrder = dateOrders.find((order) => readFileDate(date, order)) ?? "YYYYMMDD";
    const dueDate = readFileDate(date, dueDateOrder);
    if (dueDate === undefined) record.date("dueDate", ...dateOrders);
    return headerOf(record, {
      ourAccount: account + record.text("suffix"),
      ourName: record.text("ourName"),
      dueDate: dueDate ?? "",
      dueDateOrder,
      other: { recordType: record.raw("recordType") },
    });
  },
  payment(line, { header, problems }) {
    const record = readFixed(line, asbPaymentLayout, problems);
    checkCharacters(record, asbCharacters);
    record.blanks();
    const transactionCode = record.raw("transactionCode");
    const direction: keyof Sums = transactionCode === asbDebitCode ? "debit" : "credit";
    if (!/^\d{3}$/.test(transactionCode)) record.mustBe("transactionCode", "3 digits");
    else if (direction === "debit" && header?.other.recordType === asbFileTypes.credit) {
      record.mustBe("transactionCode", "that of a credit, because the file type is 12");
    } else if (direction === "credit" && !asbKnownCodes.has(transactionCode)) {
      record.shouldBe("transactionCode", "050, 051, 052 or 000");
    }
    const account = readAccount(record);
    const payment = paymentOf(record, { account, transactionCode, direction });
    record.requireText("payeeName");
    return { ...payment, other: textsOf(record, "internalReference") };
  },
  trailer(line, { batch, problems }) {
    const record = readFixed(line, asbTrailerLayout, problems);
    record.blanks();
    // ASB looks at the check total only where there is one.
    const hashTotal = record.text("hashTotal");
    if (/^0*$/.test(hashTotal)) record.shouldBe("hashTotal", "given");
    else batch.compareHash(record, "hashTotal");
    const total = batch.compareTotal(record, "total");
    const { line: number } = record;
    return { kind: "trailer", line: number, credit: total, debit: 0n, count: undefined, hashTotal };
  },
};

export const readAsb = (text: string) => readNzFile(text, asbReader);

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
