// Reads the fields of one record by its layout. A field that is wrong is reported, and reading goes on.

import { type CharacterSet, findForeignCharacter, nameCharacter } from "./characters.ts";
import { type DateOrder, readFileDate } from "./file-dates.ts";
import type { FileLine } from "./file-lines.ts";
import { quoteField } from "./quoting.ts";
import type { RecordLayout } from "./record-layout.ts";
import type { FileProblem, FileProblems } from "./report.ts";

export class RecordReader<Name extends string> {
  readonly line: number;
  readonly #layout: RecordLayout<Name>;
  readonly #values: readonly string[];
  readonly #columns: readonly number[];
  readonly #problems: FileProblems;

  constructor(
    line: number,
    layout: RecordLayout<Name>,
    values: readonly string[],
    columns: readonly number[],
    problems: FileProblems,
  ) {
    this.line = line;
    this.#layout = layout;
    this.#values = values;
    this.#columns = columns;
    this.#problems = problems;
  }

  /** The number of fields between the commas. */
  get fieldCount(): number | undefined {
    return this.#layout.length > 0 ? undefined : this.#values.length;
  }

  /** Whether the layout has the field. */
  has(name: Name): boolean {
    return this.#layout.indexOf.has(name);
  }

  /** As it is in the file, with its filling. */
  raw(name: Name): string {
    return this.#values[this.#index(name)] ?? "";
  }

  text(name: Name): string {
    return this.raw(name).trim();
  }

  error(name: Name, message: string): void {
    this.#report("error", name, message);
  }

  warning(name: Name, message: string): void {
    this.#report("warning", name, message);
  }

  /** Reports that a field is not what it must be, and what it is instead. */
  mustBe(name: Name, expected: string, found = quoteField(this.raw(name))): void {
    this.error(name, `the ${this.#label(name)} must be ${expected}, but is ${found}`);
  }

  shouldBe(name: Name, expected: string, found = quoteField(this.raw(name))): void {
    this.warning(name, `the ${this.#label(name)} should be ${expected}, but is ${found}`);
  }

  requireText(name: Name): string {
    const text = this.text(name);
    if (text === "") this.mustBe(name, "given");
    return text;
  }

  /** The digits of a field that is filled with zeros; empty where it holds anything else. */
  digits(name: Name, quote = quoteField): string {
    const raw = this.raw(name);
    if (/^\d+$/.test(raw)) return raw;
    this.mustBe(name, this.#countDigits(name), quote(raw));
    return "";
  }

  /** Minor units, above zero; 0 where the field is wrong. */
  amount(name: Name): bigint {
    const amount = this.number(name);
    if (amount === 0n && /^\d+$/.test(this.raw(name))) this.mustBe(name, "above zero", "0");
    return amount;
  }

  /** A whole number; 0 where the field is wrong. */
  number(name: Name): bigint {
    const digits = this.digits(name);
    return digits === "" ? 0n : BigInt(digits);
  }

  /** YYYY-MM-DD; empty where the field is no date in any of the orders. */
  date(name: Name, ...orders: DateOrder[]): string {
    const text = this.text(name);
    for (const order of orders) {
      const date = readFileDate(text, order);
      if (date !== undefined) return date;
    }
    // A date is no account number, so it may be shown whole.
    const found = /^\d{1,8}$/.test(text) ? `"${text}"` : quoteField(text);
    this.mustBe(name, `a date as ${orders.join(" or ")}`, found);
    return "";
  }

  /** Fillers carry nothing, and banks differ in whether they look. */
  blanks(): void {
    for (const { name, kind } of this.#layout.fields) {
      if (kind === "blank" && this.text(name) !== "") this.shouldBe(name, "blank");
    }
  }

  /** Looks for characters that the format lacks in every field of text. True where there are any. */
  characters(set: CharacterSet, severity: FileProblem["severity"]): boolean {
    let found = false;
    for (const [index, { name, kind, label }] of this.#layout.fields.entries()) {
      if (kind !== "text" && kind !== "right") continue;
      const raw = this.raw(name);
      const at = findForeignCharacter(raw, set);
      if (at === -1) continue;
      const character = nameCharacter(String.fromCodePoint(raw.codePointAt(at) ?? 0));
      const column = (this.#columns[index] ?? 1) + at;
      this.#problems[severity](this.line, column, `the ${label} can't hold ${character}`);
      found = true;
    }
    return found;
  }

  #countDigits(name: Name): string {
    const length = this.#layout.fields[this.#index(name)]?.length;
    return this.#layout.length > 0 ? `${length} digits` : `digits, at most ${length}`;
  }

  #report(severity: FileProblem["severity"], name: Name, message: string): void {
    this.#problems[severity](this.line, this.#columns[this.#index(name)] ?? 1, message);
  }

  #label(name: Name): string {
    return this.#layout.fields[this.#index(name)]?.label ?? name;
  }

  #index(name: Name): number {
    return this.#layout.indexOf.get(name) ?? 0;
  }
}

/** A record at fixed columns. A wrong length is reported; what is missing is read as blank. */
export function readFixed<Name extends string>(
  { number, text }: FileLine,
  layout: RecordLayout<Name>,
  problems: FileProblems,
): RecordReader<Name> {
  const { length, fields } = layout;
  if (text.length !== length) {
    const column = Math.min(text.length, length) + 1;
    const message = `a record must have ${length} characters, but has ${text.length}`;
    problems.error(number, column, message);
  }
  const whole = text.padEnd(length);
  const values = fields.map(({ at, length: width }) => whole.slice(at - 1, at - 1 + width));
  const columns = fields.map(({ at }) => at);
  return new RecordReader(number, layout, values, columns, problems);
}

/** A record of fields between commas. One comma may follow the last field. Too long fields are reported. */
export function readDelimited<Name extends string>(
  { number, text }: FileLine,
  layout: RecordLayout<Name>,
  problems: FileProblems,
): RecordReader<Name> {
  const { fields } = layout;
  const values = text.split(",");
  const columns: number[] = [];
  let column = 1;
  for (const value of values) {
    columns.push(column);
    column += value.length + 1;
  }
  const extra = values.slice(fields.length).findIndex((value) => value.trim() !== "");
  if (extra !== -1 || values.length > fields.length + 1) {
    const message = `a record must have ${fields.length} fields, but has ${values.length}`;
    problems.error(number, columns[fields.length] ?? 1, message);
  }
  for (const [index, { length, label }] of fields.entries()) {
    const value = values[index] ?? "";
    columns[index] ??= column;
    if (value.length <= length) continue;
    const message = `the ${label} must have at most ${length} characters, but has ${value.length}`;
    problems.error(number, columns[index], message);
  }
  return new RecordReader(number, layout, values, columns, problems);
}
