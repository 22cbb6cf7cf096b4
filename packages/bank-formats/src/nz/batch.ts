// One file of a bank in New Zealand while it is read: the order of its records, its totals and its hash total.

import { toDecimal } from "../money.ts";
import { quoteAccount, quoteField } from "../quoting.ts";
import type { RecordReader } from "../record-reader.ts";
import type { FileProblems, Sums } from "../report.ts";
import { doubtAbout, HashTotal, splitNewZealandAccount } from "./accounts.ts";
import type { NzPayment } from "./records.ts";

export class NzBatch {
  readonly #problems: FileProblems;
  #stage: "before" | "open" | "closed" = "before";
  #line = 0;
  #count = 0;
  #sums: Sums = { credit: 0n, debit: 0n };
  #hash = new HashTotal();
  #hashOfEight = new HashTotal(8);

  constructor(problems: FileProblems) {
    this.#problems = problems;
  }

  open(line: number): void {
    if (this.#stage !== "before") {
      this.#problems.error(line, 1, "a file must have one header only, but this is another");
    }
    this.#start(line);
  }

  /** Where files hold several batches, a header may follow a trailer. */
  reopen(line: number): void {
    if (this.#stage === "closed") this.#stage = "before";
    this.open(line);
  }

  add({ line, account, direction, amount }: NzPayment): void {
    if (this.#stage === "before") {
      this.#problems.error(line, 1, "a header must come before the first payment, but is missing");
      this.#start(line);
    } else if (this.#stage === "closed") {
      this.#problems.error(
        line,
        1,
        "the trailer must be the last record, but a payment follows it",
      );
    }
    this.#line = line;
    this.#count += 1;
    this.#sums[direction] += amount;
    const parts = splitNewZealandAccount(account);
    if (!parts) return;
    this.#hash.add(parts);
    this.#hashOfEight.add(parts);
  }

  /** Notes the trailer. Its totals are compared by the methods below. */
  close(line: number): void {
    if (this.#stage === "closed") {
      this.#problems.error(line, 1, "a file must have one trailer only, but this is another");
    } else if (this.#count === 0) {
      this.#problems.error(line, 1, "a payment must come before the trailer, but there is none");
    }
    this.#line = line;
    this.#stage = "closed";
  }

  end(): void {
    if (this.#stage === "closed") return;
    this.#problems.error(this.#line, 1, "a trailer must end the file, but is missing");
  }

  compareTotal<Name extends string>(
    trailer: RecordReader<Name>,
    name: Name,
    direction?: keyof Sums,
  ): bigint {
    const { credit, debit } = this.#sums;
    const expected = direction ? this.#sums[direction] : credit + debit;
    const digits = trailer.digits(name);
    if (digits === "") return 0n;
    const found = BigInt(digits);
    if (found !== expected) {
      trailer.mustBe(name, toDecimal(expected, "NZD"), toDecimal(found, "NZD"));
    }
    return found;
  }

  compareCount<Name extends string>(trailer: RecordReader<Name>, name: Name): number {
    const digits = trailer.digits(name);
    const found = Number(digits);
    if (digits !== "" && found !== this.#count) {
      trailer.mustBe(name, String(this.#count), digits);
    }
    return found;
  }

  /** The hash total of one payment is most of its account number, so it is not shown. */
  compareHash<Name extends string>(trailer: RecordReader<Name>, name: Name): string {
    const digits = trailer.digits(name);
    if (digits === "" || BigInt(digits) === BigInt(this.#hash.value)) return digits;
    const expected = this.#count > 1 ? this.#hash.digits : "that of the payment's account";
    const found = this.#count > 1 ? digits : quoteField(digits);
    if (BigInt(digits) !== BigInt(this.#hashOfEight.value)) trailer.mustBe(name, expected, found);
    else trailer.shouldBe(name, expected, `${found}, over bases of eight digits`);
    return digits;
  }

  #start(line: number): void {
    this.#stage = "open";
    this.#line = line;
    this.#count = 0;
    this.#sums = { credit: 0n, debit: 0n };
    this.#hash = new HashTotal();
    this.#hashOfEight = new HashTotal(8);
  }
}

/** Digits of an account in one field. Check digits that are wrong are a warning. */
export function readNzAccount<Name extends string>(
  record: RecordReader<Name>,
  name: Name,
  lengths: readonly number[],
): string {
  const digits = record.text(name);
  const account = lengths.includes(digits.length) ? splitNewZealandAccount(digits) : undefined;
  if (!account) {
    const expected = `${lengths.slice(0, -1).join(", ")} or ${lengths.at(-1)} digits`;
    record.mustBe(name, expected, quoteAccount(digits));
    return digits;
  }
  const doubt = doubtAbout(account);
  if (doubt !== undefined) record.warning(name, doubt);
  return digits;
}
