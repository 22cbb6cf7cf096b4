// Reads a NACHA file of any entry class: yields its entries, and returns the report of all that is wrong.

import type { FileLine } from "../file-lines.ts";
import type { RecordLayout } from "../record-layout.ts";
import { readFixed } from "../record-reader.ts";
import { FileProblems, type FileReport, type Sums } from "../report.ts";
import { BatchReader } from "./batch-reader.ts";
import { compareNumbers, NachaControls } from "./controls.ts";
import { readFileHeader } from "./headers.ts";
import { adviceFileControlLayout, linesOfBlock, nachaFileControlLayout } from "./layouts.ts";
import { isPadding, nachaLines } from "./lines.ts";
import type { NachaEntry, NachaRecord } from "./records.ts";

export function* readNacha(text: string): Generator<NachaEntry, FileReport, void> {
  const reader = new NachaReader();
  for (const line of nachaLines(text, reader.problems)) {
    const entry = reader.take(line);
    if (entry) yield entry;
  }
  const last = reader.finish();
  if (last) yield last;
  return reader.report();
}

class NachaReader {
  readonly problems = new FileProblems();
  #lineCount = 0;
  #entryCount = 0;
  #batchCount = 0;
  #lastBatchNumber = 0n;
  #hasAdvice = false;
  readonly #controls = new NachaControls();
  #file: NachaRecord | undefined;
  #controlLine = 0;
  #batch: BatchReader | undefined;
  /** Takes entries that no batch header precedes. */
  #outside: BatchReader | undefined;

  /** Takes a line, and gives the entry that ends before it. */
  take(line: FileLine): NachaEntry | undefined {
    this.#lineCount += 1;
    if (isPadding(line.text)) return this.#takePadding(line);
    if (this.#controlLine > 0) {
      const message = `only lines of nines may follow the file control in line ${this.#controlLine}`;
      this.problems.error(line.number, 1, message);
    }
    switch (line.text[0]) {
      case "1":
        return this.#takeFileHeader(line);
      case "5":
        return this.#openBatch(line);
      case "6":
        this.#entryCount += 1;
        return this.#batchFor(line, "an entry").takeEntry(line);
      case "7":
        this.#batchFor(line, "an addenda record").takeAddendum(line);
        return undefined;
      case "8":
        return this.#takeBatchControl(line);
      case "9":
        return this.#takeFileControl(line);
      default:
        this.problems.error(line.number, 1, "a record must begin with 1, 5, 6, 7, 8 or 9");
        return undefined;
    }
  }

  #takePadding(line: FileLine): undefined {
    if (this.#controlLine > 0) return;
    this.problems.error(line.number, 1, "lines of nines must follow the file control (9)");
  }

  #takeFileHeader(line: FileLine): NachaEntry | undefined {
    const entry = this.#closeBatch();
    if (this.#file) {
      const message = `a file must have one file header, but another is in line ${this.#file.line}`;
      this.problems.error(line.number, 1, message);
    } else if (this.#lineCount > 1) {
      this.problems.error(line.number, 1, "the file header must be the first line");
    }
    this.#file = readFileHeader(line, this.problems);
    return entry;
  }

  #openBatch(line: FileLine): NachaEntry | undefined {
    const entry = this.#closeBatch();
    this.#batchCount += 1;
    this.#batch = new BatchReader(line, this.#file, this.#lastBatchNumber, this.problems);
    this.#lastBatchNumber = this.#batch.number;
    this.#hasAdvice ||= this.#batch.header.isAdvice;
    return entry;
  }

  #batchFor(line: FileLine, what: string): BatchReader {
    if (this.#batch) return this.#batch;
    this.problems.error(line.number, 1, `${what} must be inside of a batch, after its header (5)`);
    this.#outside ??= new BatchReader(undefined, this.#file, 0n, this.problems);
    return this.#outside;
  }

  #takeBatchControl(line: FileLine): NachaEntry | undefined {
    const batch = this.#batch;
    if (!batch) {
      this.problems.error(line.number, 1, "a batch control must follow a batch header (5)");
      return this.#closeBatch();
    }
    const entry = batch.takeControl(line);
    this.#controls.addBatch(batch.controls);
    this.#batch = undefined;
    return entry;
  }

  /** Closes what a batch control should have closed. */
  #closeBatch(): NachaEntry | undefined {
    const open = this.#batch ?? this.#outside;
    if (!open) return undefined;
    if (this.#batch) {
      this.problems.error(open.header.line, 1, "a batch must end with a batch control (8)");
    }
    this.#batch = undefined;
    this.#outside = undefined;
    const entry = open.closeEntry();
    this.#controls.addBatch(open.controls);
    return entry;
  }

  #takeFileControl(line: FileLine): NachaEntry | undefined {
    const entry = this.#closeBatch();
    this.#controlLine ||= line.number;
    const layout: RecordLayout<string> = this.#hasAdvice
      ? adviceFileControlLayout
      : nachaFileControlLayout;
    const record = readFixed(line, layout, this.problems);
    compareNumbers(record, this.#controls);
    // A lost batch shows in the sums as well, and banks' own samples count batches and blocks in other ways.
    const blocks = Math.ceil(this.#lineCount / linesOfBlock);
    for (const [name, expected] of [
      ["batchCount", this.#batchCount],
      ["blockCount", blocks],
    ] as const) {
      const found = record.raw(name);
      if (Number(found) !== expected) record.shouldBe(name, String(expected), `"${found}"`);
    }
    return entry;
  }

  finish(): NachaEntry | undefined {
    const entry = this.#closeBatch();
    if (!this.#file) this.problems.error(1, 1, "a file must begin with a file header (1)");
    if (this.#controlLine === 0) {
      this.problems.error(0, 0, "a file must end with a file control (9)");
    } else if (this.#lineCount % linesOfBlock !== 0) {
      const message = `a file should have full blocks of ${linesOfBlock} lines, but has ${this.#lineCount} lines`;
      this.problems.warning(0, 0, message);
    }
    return entry;
  }

  report(): FileReport {
    const { credit, debit } = this.#controls;
    // An entry is checked after its addenda. Problems of the whole file come last.
    const problems = this.problems.all.sort(
      (a, b) => (a.line || Infinity) - (b.line || Infinity) || a.column - b.column,
    );
    const totals = new Map<string, Sums>([["USD", { credit, debit }]]);
    return { format: "nacha", problems, count: this.#entryCount, totals };
  }
}
