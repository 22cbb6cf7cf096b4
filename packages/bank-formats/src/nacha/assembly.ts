// Puts the records of a NACHA file together: counts, hashes, totals, controls and padding come from what went in.

import { type RecordLayout, type RecordValues, writeFixed } from "../record-layout.ts";
import type { Sums } from "../report.ts";
import { NachaControls } from "./controls.ts";
import {
  linesOfBlock,
  nachaBatchControlLayout,
  nachaFileControlLayout,
  nachaFileHeaderLayout,
} from "./layouts.ts";
import { paddingLine } from "./lines.ts";

const lineEnd = "\r\n";

type WritableRecord = { layout: RecordLayout<string>; values: RecordValues<string> };

export class NachaAssembly {
  /** The header is the first, also where it is written last. */
  #lines = 1;
  #batchCount = 0;
  #batch: { header: RecordValues<string>; controls: NachaControls } | undefined;
  readonly #file = new NachaControls();

  openFile(values: RecordValues<string>): string {
    return `${writeFixed(nachaFileHeaderLayout, values)}${lineEnd}`;
  }

  /** Closes the batch before, and opens another. */
  openBatch({ layout, values }: WritableRecord): string {
    const control = this.#closeBatch();
    this.#batch = { header: values, controls: new NachaControls() };
    this.#batchCount += 1;
    return control + this.#write(layout, values);
  }

  addEntry({ layout, values }: WritableRecord, direction: keyof Sums): string {
    const { rdfi = "", amount = "" } = values;
    this.#batch?.controls.addEntry(rdfi, direction, BigInt(amount));
    return this.#write(layout, values);
  }

  addAddendum({ layout, values }: WritableRecord): string {
    this.#batch?.controls.addAddendum();
    return this.#write(layout, values);
  }

  closeFile(): string {
    const batchControl = this.#closeBatch();
    const blocks = Math.ceil((this.#lines + 1) / linesOfBlock);
    const control = this.#write(nachaFileControlLayout, {
      ...this.#file.values(),
      recordType: "9",
      batchCount: String(this.#batchCount),
      blockCount: String(blocks),
    });
    const missing = blocks * linesOfBlock - this.#lines;
    return batchControl + control + `${paddingLine}${lineEnd}`.repeat(missing);
  }

  #closeBatch(): string {
    if (!this.#batch) return "";
    const { header, controls } = this.#batch;
    this.#batch = undefined;
    this.#file.addBatch(controls);
    const { serviceClass, companyId, odfi, batchNumber } = header;
    return this.#write(nachaBatchControlLayout, {
      ...controls.values(),
      recordType: "8",
      serviceClass,
      companyId,
      odfi,
      batchNumber,
    });
  }

  #write(layout: RecordLayout<string>, values: RecordValues<string>): string {
    this.#lines += 1;
    return `${writeFixed(layout, values)}${lineEnd}`;
  }
}
