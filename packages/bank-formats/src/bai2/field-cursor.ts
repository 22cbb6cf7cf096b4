// Reads the fields of a BAI2 record one after the other, over its continuations (88).

import { amountMax } from "../money.ts";
import { quoteField } from "../quoting.ts";
import type { FileProblem, FileProblems } from "../report.ts";
import type { PhysicalRecord } from "./physical-records.ts";

const digitsMax = String(amountMax).length;

export type Bai2Field = { text: string; line: number; column: number };

export class FieldCursor {
  readonly line: number;
  readonly #parts: readonly PhysicalRecord[];
  readonly #problems: FileProblems;
  #part = 0;
  /** Where the next field begins; past the content where all were read. */
  #at = 0;

  constructor(parts: readonly PhysicalRecord[], problems: FileProblems) {
    this.#parts = parts;
    this.#problems = problems;
    this.line = parts[0]?.line ?? 0;
  }

  get isAtEnd(): boolean {
    return this.#current() === undefined;
  }

  /** The next field; empty where there is none any more. */
  next(): Bai2Field {
    const part = this.#current();
    if (!part) return this.#end();
    const { content, line, column } = part;
    const comma = content.indexOf(",", this.#at);
    const end = comma === -1 ? content.length : comma;
    const field = { text: content.slice(this.#at, end).trim(), line, column: column + this.#at };
    this.#at = end + 1;
    return field;
  }

  /** All that is left, with its commas: a text, which continuations go on with. */
  rest(): string {
    const texts: string[] = [];
    for (let part = this.#current(); part; part = this.#current()) {
      texts.push(part.content.slice(this.#at).trim());
      this.#at = part.content.length + 1;
    }
    return texts.filter((text) => text !== "").join(" ");
  }

  #current(): PhysicalRecord | undefined {
    let part = this.#parts[this.#part];
    while (part && this.#at > part.content.length) {
      this.#part += 1;
      this.#at = 0;
      part = this.#parts[this.#part];
    }
    return part;
  }

  #end(): Bai2Field {
    const last = this.#parts.at(-1);
    const { line = 0, column = 0, content = "" } = last ?? {};
    return { text: "", line, column: column + content.length };
  }

  report(
    severity: FileProblem["severity"],
    { text, line, column }: Bai2Field,
    label: string,
    expected: string,
    found = quoteField(text),
  ): void {
    const verb = severity === "error" ? "must" : "should";
    const message = `the ${label} ${verb} be ${expected}, but is ${found}`;
    this.#problems[severity](line, column, message);
  }

  /** Minor units with a sign; 0 where the field is empty or wrong. */
  amount(label: string): { field: Bai2Field; value: bigint; isRead: boolean } {
    const field = this.next();
    const [match, sign, digits = ""] = /^([+-]?)0*(\d+)$/.exec(field.text) ?? [];
    if (match === undefined) {
      if (field.text !== "") this.report("error", field, label, "digits with or without a sign");
      return { field, value: 0n, isRead: false };
    }
    const isShort = digits.length <= digitsMax;
    const value = isShort ? BigInt(digits) : 0n;
    if (!isShort || value > amountMax) {
      this.report("error", field, label, `at most ${amountMax}`);
      return { field, value: 0n, isRead: false };
    }
    return { field, value: sign === "-" ? -value : value, isRead: true };
  }

  /** A whole number; undefined, and reported, where the field is none. */
  count(label: string): { field: Bai2Field; value: bigint | undefined } {
    const field = this.next();
    if (/^\d+$/.test(field.text)) return { field, value: BigInt(field.text) };
    this.report("error", field, label, "digits");
    return { field, value: undefined };
  }
}
