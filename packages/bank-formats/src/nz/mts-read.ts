// Reads the comma-separated files of BNZ, Kiwibank and ANZ. Yields records, and reports all that is wrong.

import { printableAscii } from "../characters.ts";
import { type FileLine, recordLines } from "../file-lines.ts";
import { quoteField } from "../quoting.ts";
import { type RecordReader, readDelimited } from "../record-reader.ts";
import { addTo, FileProblems, type FileReport, type Sums } from "../report.ts";
import { NzBatch, readNzAccount } from "./batch.ts";
import { type MtsProfile, mtsBatchTypes, mtsCreditCodes, mtsDebitCode } from "./mts-layouts.ts";
import type { NzHeader, NzPayment, NzRecord, NzTrailer } from "./records.ts";

export function* readMts(text: string, profile: MtsProfile): Generator<NzRecord, FileReport, void> {
  const problems = new FileProblems();
  const totals = new Map<string, Sums>();
  const batch = new NzBatch(problems);
  let batchType = "";
  let count = 0;
  for (const line of recordLines(text, problems)) {
    const [type] = line.text.split(",", 1);
    if (type === "1") {
      batch.open(line.number);
      const header = readHeader(line, profile, problems);
      batchType = header.other.batchType ?? "";
      yield header;
    } else if (type === "2") {
      const payment = readPayment(line, profile, batchType, problems);
      batch.add(payment);
      addTo(totals, "NZD", payment.direction, payment.amount);
      count += 1;
      yield payment;
    } else if (type === "3") {
      yield readTrailer(line, profile, batch, problems);
    } else {
      const message = `the record type must be 1, 2 or 3, but is ${quoteField(type ?? "")}`;
      problems.error(line.number, 1, message);
    }
  }
  batch.end();
  return { format: profile.format, problems: problems.all, count, totals };
}

function readHeader(line: FileLine, profile: MtsProfile, problems: FileProblems): NzHeader {
  const { header, dateOrder, usesHeader, accountLengths } = profile;
  const record = readDelimited(line, header, problems);
  record.characters(printableAscii, "error");
  const has = (name: Parameters<typeof record.text>[0]) => usesHeader || record.text(name) !== "";
  if (has("ourAccount")) readNzAccount(record, "ourAccount", accountLengths);
  const batchType = record.text("batchType");
  if (usesHeader && !Object.values(mtsBatchTypes).includes(batchType)) {
    record.mustBe("batchType", "7 for credits or 6 for debits");
  }
  const dueDate = has("dueDate") ? record.date("dueDate", dateOrder) : "";
  if (usesHeader && record.text("createdDate") === "") record.shouldBe("createdDate", "given");
  const hasCreatedDate = record.text("createdDate") !== "";
  return {
    kind: "header",
    line: record.line,
    fieldCount: record.fieldCount,
    ourAccount: record.text("ourAccount"),
    ourName: "",
    dueDate,
    dueDateOrder: dateOrder,
    createdDate: hasCreatedDate ? record.date("createdDate", dateOrder) : "",
    other: {
      authorisation: record.text("authorisation"),
      batchNumber: record.text("batchNumber"),
      batchSequence: record.text("batchSequence"),
      batchType,
      indicator: record.text("indicator"),
    },
  };
}

function readPayment(
  line: FileLine,
  profile: MtsProfile,
  batchType: string,
  problems: FileProblems,
): NzPayment {
  const record = readDelimited(line, profile.payment, problems);
  checkCharacters(record, profile);
  const transactionCode = record.text("transactionCode");
  const direction: keyof Sums = transactionCode === mtsDebitCode ? "debit" : "credit";
  if (direction === "credit" && !mtsCreditCodes.has(transactionCode)) {
    const isPossible = profile.hasOtherCodes && /^\d\d$/.test(transactionCode);
    record[isPossible ? "shouldBe" : "mustBe"]("transactionCode", "50, 52 or 00");
  } else if (profile.usesHeader && batchType !== "" && batchType !== mtsBatchTypes[direction]) {
    record.mustBe("transactionCode", `that of a batch of type ${quoteField(batchType)}`);
  }
  return {
    kind: "payment",
    line: record.line,
    fieldCount: record.fieldCount,
    account: readNzAccount(record, "account", profile.accountLengths),
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
    other: { payeeAlphaReference: record.text("payeeAlphaReference") },
  };
}

/** Banks differ in the punctuation that they take, but none takes what is not ASCII. */
function checkCharacters<Name extends string>(
  record: RecordReader<Name>,
  { characters }: MtsProfile,
): void {
  if (!record.characters(printableAscii, "error")) record.characters(characters, "warning");
}

function readTrailer(
  line: FileLine,
  profile: MtsProfile,
  batch: NzBatch,
  problems: FileProblems,
): NzTrailer {
  batch.close(line.number);
  const record = readDelimited(line, profile.trailer, problems);
  const total = batch.compareTotal(record, "total");
  const count = batch.compareCount(record, "count");
  const hashTotal = batch.compareHash(record, "hashTotal");
  if (profile.fillsHashTotal && hashTotal !== "" && hashTotal.length < 11) {
    record.shouldBe("hashTotal", "11 digits, with zeros before it");
  }
  return {
    kind: "trailer",
    line: record.line,
    fieldCount: record.fieldCount,
    credit: total,
    debit: 0n,
    count,
    hashTotal,
  };
}
