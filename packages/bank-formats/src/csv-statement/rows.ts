// One row of a CSV statement as the mapping reads it, with every problem of its cells.

import { isCurrency } from "../money.ts";
import { quoteField } from "../quoting.ts";
import type { FileProblems } from "../report.ts";
import { readCsvAmount } from "./amounts.ts";
import { readCsvDate } from "./dates.ts";
import {
  type CsvAmount,
  type CsvColumn,
  type CsvDate,
  type CsvMapping,
  hasWord,
} from "./mapping.ts";
import { type CsvRow, nameColumn } from "./table.ts";

/** What a row says. Texts are empty where the mapping has no column for them. */
export type CsvLine = {
  line: number;
  day: string;
  valueDay: string;
  /** Undefined where the row has only a balance. */
  amount: bigint | undefined;
  currency: string;
  /** After the line. Undefined where the row has none. */
  balance: bigint | undefined;
  account: string;
  text: string;
  reference: string;
  bankReference: string;
  partyName: string;
  partyAccount: string;
  code: string;
};

type Places = { indexOf: (column: CsvColumn) => number; width: number };

/** Undefined where the row is not booked, or where something is wrong, which is reported. */
export function readCsvRow(
  row: CsvRow,
  mapping: CsvMapping,
  places: Places,
  problems: FileProblems,
): CsvLine | undefined {
  const { line, cells } = row;
  // Empty cells at the end carry nothing.
  if (cells.length < places.width || cells.slice(places.width).some((cell) => cell !== "")) {
    problems.error(line, 1, `a row must have ${places.width} cells, but has ${cells.length}`);
    return undefined;
  }
  const reader = new RowReader(row, mapping, places, problems);
  return reader.isBooked() ? reader.read() : undefined;
}

class RowReader {
  readonly #row: CsvRow;
  readonly #mapping: CsvMapping;
  readonly #indexOf: Places["indexOf"];
  readonly #problems: FileProblems;
  #isBroken = false;

  constructor(row: CsvRow, mapping: CsvMapping, { indexOf }: Places, problems: FileProblems) {
    this.#row = row;
    this.#mapping = mapping;
    this.#indexOf = indexOf;
    this.#problems = problems;
  }

  isBooked(): boolean {
    const { status } = this.#mapping;
    return !status || hasWord(status.booked_words, this.#text(status.column));
  }

  read(): CsvLine | undefined {
    const mapping = this.#mapping;
    const { value_date } = mapping;
    const day = this.#date("date", mapping.date);
    const hasValueDate = value_date && this.#text(value_date.column) !== "";
    const valueDay = hasValueDate ? this.#date("value date", value_date) : "";
    const currency = this.#currency();
    // Without a currency it is not known how many decimals there are.
    const money = currency === "" ? undefined : this.#money(currency);
    if (!money || this.#isBroken) return undefined;
    return {
      line: this.#row.line,
      day,
      valueDay,
      currency,
      ...money,
      account: this.#text(mapping.account),
      text: this.#description(),
      reference: this.#text(mapping.reference),
      bankReference: this.#text(mapping.bank_reference),
      partyName: this.#text(mapping.party_name),
      partyAccount: this.#text(mapping.party_account),
      code: this.#text(mapping.code),
    };
  }

  #money(currency: string): Pick<CsvLine, "amount" | "balance"> {
    const { amount: columns, balance: column } = this.#mapping;
    const balance = column === undefined ? undefined : this.#amountIn("balance", column, currency);
    const amount = this.#amount(columns, currency);
    if (amount === undefined && balance === undefined && !this.#isBroken) {
      const place = columns.kind === "debit_credit" ? columns.credit : columns.column;
      this.#mustBe("amount", place, "given");
    }
    return { amount, balance };
  }

  /** Undefined where the row has none, or a wrong one. */
  #amount(columns: CsvAmount, currency: string): bigint | undefined {
    switch (columns.kind) {
      case "signed": {
        const amount = this.#amountIn("amount", columns.column, currency);
        return columns.debits_positive && amount !== undefined ? -amount : amount;
      }
      case "debit_credit":
        return this.#debitOrCredit(columns, currency);
      case "indicator":
        return this.#indicated(columns, currency);
    }
  }

  #debitOrCredit(
    { debit, credit, debits_negative }: Extract<CsvAmount, { kind: "debit_credit" }>,
    currency: string,
  ): bigint | undefined {
    const out = this.#amountIn("debit", debit, currency);
    const into = this.#amountIn("credit", credit, currency);
    if (out !== undefined && into !== undefined && out !== 0n && into !== 0n) {
      this.#mustBe("credit", credit, "empty where there is a debit");
      return undefined;
    }
    if (out !== undefined && out !== 0n) return debits_negative ? out : -out;
    return into ?? out;
  }

  #indicated(
    columns: Extract<CsvAmount, { kind: "indicator" }>,
    currency: string,
  ): bigint | undefined {
    const amount = this.#amountIn("amount", columns.column, currency);
    if (amount === undefined) return undefined;
    if (amount < 0n) {
      this.#mustBe("amount", columns.column, "without a sign");
      return undefined;
    }
    const word = this.#text(columns.indicator);
    if (hasWord(columns.credit_words, word)) return amount;
    if (hasWord(columns.debit_words, word)) return -amount;
    const words = [...columns.debit_words, ...columns.credit_words].join(", ");
    this.#mustBe("indicator", columns.indicator, `one of ${words}`);
    return undefined;
  }

  #amountIn(label: string, column: CsvColumn, currency: string): bigint | undefined {
    const text = this.#text(column);
    if (text === "") return undefined;
    const result = readCsvAmount(text, this.#mapping, currency);
    if ("minor" in result) return result.minor;
    this.#mustBe(label, column, result.problem);
    return undefined;
  }

  #currency(): string {
    const { currency } = this.#mapping;
    if ("fixed" in currency) return currency.fixed;
    const text = this.#text(currency.column).toUpperCase();
    if (isCurrency(text)) return text;
    this.#mustBe("currency", currency.column, "a currency such as EUR");
    return "";
  }

  #date(label: string, { column, format }: CsvDate): string {
    const day = readCsvDate(this.#text(column), format);
    if (day === undefined) this.#mustBe(label, column, `a date as ${format}`);
    return day ?? "";
  }

  #description(): string {
    const texts = this.#mapping.description.map((column) => this.#text(column));
    return texts.filter((text) => text !== "").join(" ");
  }

  /** Without line breaks and repeated spaces. */
  #text(column: CsvColumn | undefined): string {
    if (column === undefined) return "";
    return (this.#row.cells[this.#indexOf(column)] ?? "").replace(/\s+/g, " ");
  }

  #mustBe(label: string, column: CsvColumn, expected: string): void {
    this.#isBroken = true;
    const found = quoteField(this.#text(column));
    const message = `the ${label} (column ${nameColumn(column)}) must be ${expected}, but is ${found}`;
    this.#problems.error(this.#row.line, this.#indexOf(column) + 1, message);
  }
}
