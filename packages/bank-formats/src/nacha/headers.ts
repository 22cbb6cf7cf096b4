// Reads the header of a NACHA file and those of its batches. What they break is a warning: banks differ in what they take.

import { readFileDate } from "../file-dates.ts";
import type { FileLine } from "../file-lines.ts";
import { type RecordReader, readFixed } from "../record-reader.ts";
import type { FileProblems } from "../report.ts";
import { entryClasses, serviceClasses } from "./codes.ts";
import {
  internationalBatchLayout,
  nachaBatchHeaderLayout,
  nachaFileHeaderLayout,
} from "./layouts.ts";
import { type NachaBatch, type NachaRecord, toNachaRecord } from "./records.ts";

export function readFileHeader(line: FileLine, problems: FileProblems): NachaRecord {
  const record = readFixed(line, nachaFileHeaderLayout, problems);
  if (record.raw("priorityCode") !== "01") record.shouldBe("priorityCode", "01");
  if (record.raw("recordSize") !== "094") record.shouldBe("recordSize", "094");
  if (record.raw("blockingFactor") !== "10") record.shouldBe("blockingFactor", "10");
  if (record.raw("formatCode") !== "1") record.shouldBe("formatCode", "1");
  if (record.text("immediateDestination") === "") record.shouldBe("immediateDestination", "given");
  if (record.text("immediateOrigin") === "") record.shouldBe("immediateOrigin", "given");
  const date = record.raw("creationDate");
  if (!isShortDate(date)) record.shouldBe("creationDate", "a date as YYMMDD", `"${date}"`);
  if (!/^(?: {4}|([01]\d|2[0-3])[0-5]\d)$/.test(record.raw("creationTime"))) {
    record.shouldBe("creationTime", "blank or HHMM");
  }
  if (!/^[A-Z0-9]$/.test(record.raw("fileIdModifier"))) {
    record.shouldBe("fileIdModifier", "a capital letter or a digit");
  }
  return toNachaRecord(record, nachaFileHeaderLayout);
}

/** Without a line it is the header of what stands outside of batches. */
export function readBatchHeader(
  line: FileLine | undefined,
  file: NachaRecord | undefined,
  problems: FileProblems,
): NachaBatch {
  const { number, text } = line ?? { number: 0, text: " ".repeat(nachaBatchHeaderLayout.length) };
  const record = readFixed({ number, text }, nachaBatchHeaderLayout, problems);
  const international = readFixed({ number, text }, internationalBatchLayout, problems);
  const entryClass = record.raw("entryClass");
  const isIndicated = international.text("internationalIndicator") === "IATCOR";
  const isInternational = entryClass === "IAT" || isIndicated;
  const isAdvice = entryClass === "ADV";
  if (line) checkBatchHeader(record, isInternational, isAdvice);
  return {
    ...(isInternational
      ? toNachaRecord(international, internationalBatchLayout)
      : toNachaRecord(record, nachaBatchHeaderLayout)),
    file,
    entryClass,
    companyId: record.text("companyId"),
    odfi: record.raw("odfi"),
    isInternational,
    isAdvice,
  };
}

function checkBatchHeader(
  record: RecordReader<string>,
  isInternational: boolean,
  isAdvice: boolean,
): void {
  const serviceClass = record.raw("serviceClass");
  if (!serviceClasses.has(serviceClass) || isAdvice !== (serviceClass === "280")) {
    record.shouldBe("serviceClass", isAdvice ? "280" : "200, 220 or 225");
  }
  if (!entryClasses.has(record.raw("entryClass"))) {
    record.shouldBe("entryClass", "one such as PPD or CCD");
  }
  // Returns and advices have no date, or zeros.
  const date = record.raw("effectiveDate");
  if (!/^( {6}|0{6})$/.test(date) && !isShortDate(date)) {
    record.shouldBe("effectiveDate", "a date as YYMMDD", `"${date}"`);
  }
  if (!/^\d{8}$/.test(record.raw("odfi"))) record.shouldBe("odfi", "8 digits");
  if (!/^\d{7}$/.test(record.raw("batchNumber"))) record.shouldBe("batchNumber", "7 digits");
  if (record.text("companyId") === "" && !isInternational) record.shouldBe("companyId", "given");
}

function isShortDate(text: string): boolean {
  return readFileDate(text, "YYMMDD") !== undefined;
}
