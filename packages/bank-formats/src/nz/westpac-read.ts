// Reads Westpac's Deskbank files, with commas or fixed columns. Yields records, and reports all that is wrong.

import { printableAscii } from "../characters.ts";
import { type FileLine, firstLines, recordLines } from "../file-lines.ts";
import { quoteAccount, quoteField } from "../quoting.ts";
import type { RecordLayout } from "../record-layout.ts";
import { type RecordReader, readDelimited, readFixed } from "../record-reader.ts";
import { addTo, FileProblems, type FileReport, type Sums } from "../report.ts";
import { doubtAbout } from "./accounts.ts";
import type { NzHeader, NzPayment, NzRecord } from "./records.ts";
import {
  delimitedForm,
  westpacBank,
  westpacCharacters,
  westpacHeaderLayout,
  westpacPaymentLayout,
  westpacSources,
} from "./westpac-layouts.ts";

export function recognisesWestpac(text: string): boolean {
  const [first = ""] = firstLines(text, 1);
  return /^[AD](?:,[^,]{0,6},\d{1,2},\d{0,4},|\d{12})/.test(first);
}

export function* readWestpac(text: string): Generator<NzRecord, FileReport, void> {
  const problems = new FileProblems();
  const totals = new Map<string, Sums>();
  let count = 0;
  let sequence = -1;
  for (const line of recordLines(text, problems)) {
    const type = line.text[0];
    if (type !== "A" && type !== "D") {
      const message = `the record type must be A or D, but is ${quoteField(type ?? "")}`;
      problems.error(line.number, 1, message);
      continue;
    }
    const record =
      type === "A" ? readHeader(line, sequence, problems) : readPayment(line, sequence, problems);
    sequence = Number(record.other.sequence);
    if (record.kind === "payment") {
      addTo(totals, "NZD", record.direction, record.amount);
      count += 1;
    }
    yield record;
  }
  if (count === 0) problems.error(0, 0, "the file must have a record of type D, but has none");
  return { format: "nz-westpac", problems: problems.all, count, totals };
}

function readEither<Name extends string>(
  line: FileLine,
  layout: RecordLayout<Name>,
  problems: FileProblems,
): RecordReader<Name> {
  const isDelimited = line.text[1] === ",";
  const record = isDelimited
    ? readDelimited(line, delimitedForm(layout), problems)
    : readFixed(line, layout, problems);
  if (!record.characters(printableAscii, "error")) record.characters(westpacCharacters, "error");
  record.blanks();
  return record;
}

function readHeader(line: FileLine, previous: number, problems: FileProblems): NzHeader {
  const record = readEither(line, westpacHeaderLayout, problems);
  const bank = record.digits("bank").padStart(2, "0");
  if (bank !== westpacBank) record.mustBe("bank", westpacBank);
  return {
    kind: "header",
    line: record.line,
    fieldCount: record.fieldCount,
    ourAccount: bank + record.digits("branch").padStart(4, "0"),
    ourName: record.text("customerName"),
    dueDate: record.date("dueDate", "DDMMYY"),
    dueDateOrder: "DDMMYY",
    createdDate: "",
    other: {
      sequence: readSequence(record, previous),
      customerNumber: record.text("customerNumber"),
      description: record.text("description"),
    },
  };
}

function readPayment(line: FileLine, previous: number, problems: FileProblems): NzPayment {
  const record = readEither(line, westpacPaymentLayout, problems);
  const transactionCode = record.digits("transactionCode").padStart(2, "0");
  const source = record.text("source");
  const expected = westpacSources.get(transactionCode);
  if (expected === undefined) record.mustBe("transactionCode", "50, 52 or 00");
  else if (source !== expected) record.mustBe("source", expected);
  return {
    kind: "payment",
    line: record.line,
    fieldCount: record.fieldCount,
    account: readAccount(record),
    transactionCode,
    direction: transactionCode === "00" ? "debit" : "credit",
    amount: record.amount("amount"),
    payeeName: record.text("payeeName"),
    payeeParticulars: record.text("payeeParticulars"),
    payeeCode: record.text("payeeCode"),
    payeeReference: record.text("payeeReference"),
    ourName: record.text("ourName"),
    ourParticulars: "",
    ourCode: "",
    ourReference: "",
    other: {
      sequence: readSequence(record, previous),
      source,
      ourAccount:
        record.digits("ourBank").padStart(2, "0") +
        record.digits("ourBranch").padStart(4, "0") +
        record.digits("ourBase", quoteAccount).padStart(8, "0") +
        record.digits("ourSuffix").padStart(4, "0"),
    },
  };
}

/** Between commas, zeros may be missing before a number. */
function readAccount(record: RecordReader<PaymentField>): string {
  const account = {
    bank: record.digits("bank").padStart(2, "0"),
    branch: record.digits("branch").padStart(4, "0"),
    base: record.digits("base", quoteAccount).padStart(8, "0"),
    suffix: record.digits("suffix").padStart(4, "0"),
  };
  const doubt = doubtAbout(account);
  if (doubt !== undefined) record.warning("bank", doubt);
  return account.bank + account.branch + account.base + account.suffix;
}

type PaymentField = (typeof westpacPaymentLayout)["fields"][number]["name"];

type SequenceReader = Pick<RecordReader<"sequence">, "digits" | "shouldBe">;

/** Banks ask for numbers that differ. Ours and those of other programs ascend. */
function readSequence(record: SequenceReader, previous: number): string {
  const sequence = record.digits("sequence").padStart(6, "0");
  if (Number(sequence) <= previous) record.shouldBe("sequence", "above that of the record before");
  return sequence;
}
