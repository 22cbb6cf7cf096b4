// The sums that a NACHA file carries in its controls: the writer writes them, the reader compares them.

import { toDecimal } from "../money.ts";
import type { RecordValues } from "../record-layout.ts";
import type { RecordReader } from "../record-reader.ts";
import type { Sums } from "../report.ts";

const hashModulus = 10_000_000_000n;

export class NachaControls {
  /** Entries and addenda together. */
  count = 0;
  credit = 0n;
  debit = 0n;
  #hash = 0n;

  /** The receiving bank is the routing number without its check digit. */
  addEntry(rdfi: string, direction: keyof Sums, amount: bigint): void {
    this.count += 1;
    this[direction] += amount;
    this.#hash += BigInt(rdfi);
  }

  addAddendum(): void {
    this.count += 1;
  }

  addBatch(batch: NachaControls): void {
    this.count += batch.count;
    this.credit += batch.credit;
    this.debit += batch.debit;
    this.#hash += batch.#hash;
  }

  /** Fields of batch controls and of the file control. Only the last ten digits of the hash are kept. */
  values() {
    return {
      entryCount: String(this.count),
      hash: String(this.#hash % hashModulus),
      debit: String(this.debit),
      credit: String(this.credit),
    } satisfies RecordValues<string>;
  }
}

/** The digits of a field. Some systems fill it with spaces instead of zeros, and the number is still clear. */
export function readDigits(record: RecordReader<string>, name: string): string {
  const raw = record.raw(name);
  if (!/^ +\d+$|^\d+ +$/.test(raw)) return record.digits(name);
  record.shouldBe(name, `${raw.length} digits`);
  return raw.trim();
}

/** Reports where a control says other numbers than the records before it give. */
export function compareNumbers(record: RecordReader<string>, controls: NachaControls): void {
  for (const [name, expected] of Object.entries(controls.values())) {
    const digits = readDigits(record, name);
    if (digits === "" || BigInt(digits) === BigInt(expected)) continue;
    const show = name === "debit" || name === "credit" ? dollars : String;
    record.mustBe(name, show(BigInt(expected)), show(BigInt(digits)));
  }
}

/** For messages. */
export function dollars(cents: bigint): string {
  return toDecimal(cents, "USD");
}
