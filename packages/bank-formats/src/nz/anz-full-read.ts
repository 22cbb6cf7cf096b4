// Reads ANZ's full file import. Yields records, and reports all that is wrong.

import { printableAscii } from "../characters.ts";
import { type FileLine, recordLines } from "../file-lines.ts";
import { quoteField } from "../quoting.ts";
import { readDelimited } from "../record-reader.ts";
import { addTo, FileProblems, type FileReport, type Sums } from "../report.ts";
import {
  anzBatchTypes,
  anzFullHeaderLayout,
  anzFullPaymentLayout,
  anzFullTrailerLayout,
  anzReportingMethods,
} from "./anz-full-layouts.ts";
import { NzBatch, readNzAccount } from "./batch.ts";
import { anzProfile, mtsCreditCodes, mtsDebitCode } from "./mts-layouts.ts";
import type { NzHeader, NzPayment, NzRecord, NzTrailer } from "./records.ts";

/** A file holds one or more batches. */
export function* readAnzFull(text: string): Generator<NzRecord, FileReport, void> {
  const problems = new FileProblems();
  const totals = new Map<string, Sums>();
  const batch = new NzBatch(problems);
  let batchType = "";
  let count = 0;
  for (const line of recordLines(text, problems)) {
    const [type] = line.text.split(",", 1);
    if (type === "1") {
      batch.reopen(line.number);
      const header = readHeader(line, problems);
      batchType = header.other.batchType ?? "";
      yield header;
    } else if (type === "2") {
      const payment = readPayment(line, batchType, problems);
      batch.add(payment);
      addTo(totals, "NZD", payment.direction, payment.amount);
      count += 1;
      yield payment;
    } else if (type === "3") {
      yield readTrailer(line, batch, problems);
    } else {
      const message = `the record type must be 1, 2 or 3, but is ${quoteField(type ?? "")}`;
      problems.error(line.number, 1, message);
    }
  }
  batch.end();
  return { format: "nz-anz", problems: problems.all, count, totals };
}

function readHeader(line: FileLine, problems: FileProblems): NzHeader {
  const record = readDelimited(line, anzFullHeaderLayout, problems);
  record.characters(printableAscii, "error");
  record.blanks();
  const batchType = record.text("batchType");
  if (!Object.values(anzBatchTypes).includes(batchType)) record.mustBe("batchType", "C or D");
  if (batchType === anzBatchTypes.debit) record.requireText("authorisation");
  if (!/^(?:|([01]\d|2[0-3])[0-5]\d)$/.test(record.text("time"))) {
    record.mustBe("time", "empty or HHMM");
  }
  if (!Object.values(anzReportingMethods).includes(record.text("reporting"))) {
    record.mustBe("reporting", "S or M");
  }
  record.requireText("batchName");
  const hasCreatedDate = record.text("createdDate") !== "";
  return {
    kind: "header",
    line: record.line,
    fieldCount: record.fieldCount,
    ourAccount: readNzAccount(record, "ourAccount", [15, 16]),
    ourName: "",
    dueDate: record.date("dueDate", "YYYYMMDD"),
    dueDateOrder: "YYYYMMDD",
    createdDate: hasCreatedDate ? record.date("createdDate", "YYYYMMDD") : "",
    other: {
      batchType,
      time: record.text("time"),
      authorisation: record.text("authorisation"),
      reporting: record.text("reporting"),
      dishonourAccount: readNzAccount(record, "dishonourAccount", [15, 16]),
      batchName: record.text("batchName"),
      ourParticulars: record.text("ourParticulars"),
      ourCode: record.text("ourCode"),
      ourReference: record.text("ourReference"),
    },
  };
}

function readPayment(line: FileLine, batchType: string, problems: FileProblems): NzPayment {
  const record = readDelimited(line, anzFullPaymentLayout, problems);
  const { characters, accountLengths } = anzProfile;
  if (!record.characters(printableAscii, "error")) record.characters(characters, "warning");
  record.blanks();
  const transactionCode = record.text("transactionCode");
  const direction: keyof Sums = transactionCode === mtsDebitCode ? "debit" : "credit";
  if (direction === "credit" && !mtsCreditCodes.has(transactionCode)) {
    record.mustBe("transactionCode", "50, 52 or 00");
  } else if (batchType !== "" && batchType !== anzBatchTypes[direction]) {
    record.mustBe("transactionCode", `that of a batch of type ${quoteField(batchType)}`);
  }
  return {
    kind: "payment",
    line: record.line,
    fieldCount: record.fieldCount,
    account: readNzAccount(record, "account", accountLengths),
    transactionCode,
    direction,
    amount: record.amount("amount"),
    payeeName: record.requireText("payeeName"),
    payeeParticulars: record.text("payeeParticulars"),
    payeeCode: record.text("payeeCode"),
    payeeReference: record.text("payeeReference"),
    ourName: "",
    ourParticulars: record.text("ourParticulars"),
    ourCode: record.text("ourCode"),
    ourReference: record.text("ourReference"),
    other: {},
  };
}

function readTrailer(line: FileLine, batch: NzBatch, problems: FileProblems): NzTrailer {
  batch.close(line.number);
  const record = readDelimited(line, anzFullTrailerLayout, problems);
  record.blanks();
  return {
    kind: "trailer",
    line: record.line,
    fieldCount: record.fieldCount,
    debit: batch.compareTotal(record, "debit", "debit"),
    credit: batch.compareTotal(record, "credit", "credit"),
    count: batch.compareCount(record, "count"),
    // ANZ does not ask for it.
    hashTotal: record.text("hashTotal") === "" ? "" : batch.compareHash(record, "hashTotal"),
  };
}
