// Reads the batches of a NACHA file: the header, entries with their addenda, and the control with its sums.

import type { FileLine } from "../file-lines.ts";
import type { RecordLayout } from "../record-layout.ts";
import { type RecordReader, readFixed } from "../record-reader.ts";
import type { FileProblems } from "../report.ts";
import { findAddendaLayout, returnAddendaLayout } from "./addenda-layouts.ts";
import { countedClasses, directionOf } from "./codes.ts";
import { compareNumbers, dollars, NachaControls, readDigits } from "./controls.ts";
import { checkAddendum, checkEntry } from "./entry-checks.ts";
import { readBatchHeader } from "./headers.ts";
import {
  adviceBatchControlLayout,
  adviceEntryLayout,
  countedEntryLayout,
  internationalEntryLayout,
  nachaBatchControlLayout,
  nachaBatchHeaderLayout,
  nachaEntryLayout,
} from "./layouts.ts";
import { type NachaBatch, type NachaEntry, type NachaRecord, toNachaRecord } from "./records.ts";

export class BatchReader {
  readonly header: NachaBatch;
  readonly controls = new NachaControls();
  readonly #problems: FileProblems;
  readonly #isOutside: boolean;
  #entry: NachaEntry | undefined;
  #lastTrace = "";

  /** Without a header line it takes what stands outside of batches. */
  constructor(
    line: FileLine | undefined,
    file: NachaRecord | undefined,
    batchBefore: bigint,
    problems: FileProblems,
  ) {
    this.#problems = problems;
    this.#isOutside = line === undefined;
    this.header = readBatchHeader(line, file, problems);
    if (!line || this.number > batchBefore) return;
    const record = readFixed(line, nachaBatchHeaderLayout, problems);
    record.shouldBe("batchNumber", `above ${batchBefore}`, String(this.number));
  }

  get number(): bigint {
    const { batchNumber = "" } = this.header.values;
    return /^\d+$/.test(batchNumber) ? BigInt(batchNumber) : 0n;
  }

  /** Takes an entry, and gives the one before it. */
  takeEntry(line: FileLine): NachaEntry | undefined {
    const ended = this.closeEntry();
    const layout = entryLayout(this.header);
    const record = readFixed(line, layout, this.#problems);
    const transactionCode = record.raw("transactionCode");
    const direction = directionOf(transactionCode, this.header.isAdvice);
    const amount = BigInt(readDigits(record, "amount"));
    const rdfi = record.digits("rdfi");
    this.controls.addEntry(rdfi, direction, amount);
    this.#entry = {
      ...toNachaRecord(record, layout),
      batch: this.#isOutside ? undefined : this.header,
      transactionCode,
      direction,
      amount,
      routingNumber: `${rdfi}${record.raw("checkDigit")}`,
      accountNumber: record.text("accountNumber"),
      identification: layout.indexOf.has("identification") ? record.text("identification") : "",
      name: layout.indexOf.has("name") ? record.text("name") : "",
      traceNumber: record.raw("traceNumber"),
      addenda: [],
    };
    return ended;
  }

  takeAddendum(line: FileLine): void {
    this.controls.addAddendum();
    const start = readFixed(line, returnAddendaLayout, this.#problems);
    const [type, code] = [start.raw("addendaType"), start.raw("code")];
    if (!this.#entry) start.error("recordType", "addenda must follow an entry (6)");
    const found = findAddendaLayout(type, code, this.header.isInternational);
    if (!found) {
      start.shouldBe("addendaType", "one such as 05, 98 or 99");
      return;
    }
    const { kind, layout } = found;
    const record = readFixed(line, layout, this.#problems);
    const addendum = { ...toNachaRecord(record, layout), type, kind };
    if (this.#entry) checkAddendum(addendum, record, this.#entry);
    this.#entry?.addenda.push(addendum);
  }

  /** Ends the entry that is open: with all of its addenda it can be checked. */
  closeEntry(): NachaEntry | undefined {
    const entry = this.#entry;
    if (!entry) return undefined;
    this.#entry = undefined;
    checkEntry(entry, this.header, this.#lastTrace, this.#problems);
    this.#lastTrace = entry.traceNumber;
    return entry;
  }

  takeControl(line: FileLine): NachaEntry | undefined {
    const entry = this.closeEntry();
    const { isAdvice, isInternational, values } = this.header;
    const layout: RecordLayout<string> = isAdvice
      ? adviceBatchControlLayout
      : nachaBatchControlLayout;
    const record = readFixed(line, layout, this.#problems);
    compareNumbers(record, this.controls);
    for (const name of ["serviceClass", "companyId", "odfi", "batchNumber"]) {
      // An advice has no company in its control, and some banks leave it out of international batches.
      if (name === "companyId" && (isAdvice || isInternational)) continue;
      const expected = (values[name] ?? "").trim();
      if (record.text(name) === expected) continue;
      record.shouldBe(name, `"${expected}" as in the batch header`, `"${record.text(name)}"`);
    }
    this.#checkServiceClass(record);
    return entry;
  }

  #checkServiceClass(record: RecordReader<string>): void {
    const { serviceClass } = this.header.values;
    const { credit, debit } = this.controls;
    const expected = (what: string, sum: bigint) => `200 because of ${what} of ${dollars(sum)}`;
    if (serviceClass === "220" && debit > 0n) {
      record.shouldBe("serviceClass", expected("debits", debit));
    }
    if (serviceClass === "225" && credit > 0n) {
      record.shouldBe("serviceClass", expected("credits", credit));
    }
  }
}

function entryLayout({ entryClass, isInternational, isAdvice }: NachaBatch): RecordLayout<string> {
  if (isAdvice) return adviceEntryLayout;
  if (isInternational) return internationalEntryLayout;
  return countedClasses.has(entryClass) ? countedEntryLayout : nachaEntryLayout;
}
