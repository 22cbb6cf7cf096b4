// One batch of an ABA file while it is read: the order of its records, its totals and its duplicates.

import { toDecimal } from "../money.ts";
import type { RecordReader } from "../record-reader.ts";
import type { FileProblems } from "../report.ts";
import { type abaTrailerLayout, trailerBsb } from "./layouts.ts";
import type { AbaPayment, AbaReturn } from "./records.ts";

type TrailerField = (typeof abaTrailerLayout)["fields"][number]["name"];

export class AbaBatch {
  readonly #problems: FileProblems;
  #isOpen = false;
  #batches = 0;
  #line = 0;
  #count = 0;
  #sums = { credit: 0n, debit: 0n };
  /** The line of each payment by what makes it unique. */
  #seen = new Map<string, number>();

  constructor(problems: FileProblems) {
    this.#problems = problems;
  }

  open(line: number): void {
    if (this.#isOpen) {
      this.#problems.error(line, 1, "a record of type 7 must come before another of type 0");
    }
    this.#start(line);
  }

  add(record: AbaPayment | AbaReturn): void {
    this.#line = record.line;
    if (!this.#isOpen) {
      this.#problems.error(
        record.line,
        1,
        `a record of type 0 must come before ${this.#name(record)}`,
      );
      this.#start(record.line);
    }
    this.#count += 1;
    this.#sums[record.direction] += record.amount;
    if (record.kind === "payment") this.#noteDuplicate(record);
  }

  /** Compares the totals of the last record with those of the records before it. */
  close(trailer: RecordReader<TrailerField>): void {
    this.#line = trailer.line;
    if (!this.#isOpen) {
      trailer.error("recordType", "a record of type 0 must come before the one of type 7");
    } else if (this.#count === 0) {
      trailer.error("recordType", "a record of type 1 or 2 must come before the one of type 7");
    }
    if (trailer.raw("bsb") !== trailerBsb) trailer.mustBe("bsb", trailerBsb);
    trailer.blanks();
    const { credit, debit } = this.#sums;
    const net = credit > debit ? credit - debit : debit - credit;
    compareTotal(trailer, "net", net);
    compareTotal(trailer, "credit", credit);
    compareTotal(trailer, "debit", debit);
    const count = trailer.digits("count");
    if (count !== "" && Number(count) !== this.#count) {
      trailer.mustBe("count", String(this.#count), String(Number(count)));
    }
    this.#isOpen = false;
  }

  end(): void {
    if (this.#isOpen) {
      this.#problems.error(this.#line, 1, "a record of type 7 must end the file, but is missing");
    } else if (this.#batches === 0) {
      this.#problems.error(0, 0, "the file must have a record of type 0, but has none");
    }
  }

  #start(line: number): void {
    this.#isOpen = true;
    this.#batches += 1;
    this.#line = line;
    this.#count = 0;
    this.#sums = { credit: 0n, debit: 0n };
  }

  #name({ kind }: AbaPayment | AbaReturn): string {
    return kind === "payment" ? "one of type 1" : "one of type 2";
  }

  // Banks take such a payment for one that was sent twice.
  #noteDuplicate({ line, bsb, account, amount, reference }: AbaPayment): void {
    const key = `${bsb}/${account}/${amount}/${reference}`;
    const first = this.#seen.get(key);
    if (first === undefined) {
      this.#seen.set(key, line);
      return;
    }
    const message = `line ${first} has the same BSB, account number, amount and lodgement reference`;
    this.#problems.warning(line, 1, message);
  }
}

function compareTotal(
  trailer: RecordReader<TrailerField>,
  name: "net" | "credit" | "debit",
  expected: bigint,
): void {
  const digits = trailer.digits(name);
  if (digits === "" || BigInt(digits) === expected) return;
  trailer.mustBe(name, toDecimal(expected, "AUD"), toDecimal(BigInt(digits), "AUD"));
}
