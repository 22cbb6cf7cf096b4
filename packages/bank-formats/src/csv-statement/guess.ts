// Proposes a mapping for a bank's CSV file, with a reason for each field, and says what a user has to decide.

import { isCurrency } from "../money.ts";
import { FileProblems } from "../report.ts";
import type { AmountMarks } from "./amounts.ts";
import { type ColumnFacts, columnFacts } from "./column-facts.ts";
import { type GuessedAmount, guessAmount } from "./guess-amounts.ts";
import { guessDates, orderOfDays, readDays } from "./guess-dates.ts";
import { type GuessNote, GuessNotes } from "./guess-notes.ts";
import { type GuessedTexts, guessTexts } from "./guess-texts.ts";
import { findLines, type LinesPlace } from "./lines-place.ts";
import {
  type CsvAmount,
  type CsvColumn,
  type CsvMapping,
  comparableHeader,
  csvDelimiters,
} from "./mapping.ts";
import { readCsvRows } from "./table.ts";

export type CsvGuess = {
  /** Undefined where no column can be the date or the amount. */
  mapping: CsvMapping | undefined;
  notes: GuessNote[];
};

/** Enough to prove what can be proven. */
const rowsMax = 2000;
const charactersMax = 512 * 1024;
const defaultCurrency = "EUR";

/** `currency`: of the account, for files that don't name one. */
export function guessCsvMapping(text: string, { currency }: { currency?: string } = {}): CsvGuess {
  const sample = startOf(text);
  const guesses = csvDelimiters.flatMap((delimiter) => {
    const rows = readCsvRows(sample, delimiter, new FileProblems());
    const place = findLines(rows);
    return place ? [{ ...guessWith(delimiter, place, currency), place }] : [];
  });
  const [best] = guesses.toSorted((one, other) => rank(other) - rank(one));
  if (best) return { mapping: best.mapping, notes: best.notes };
  const reason = "no rows with a date and an amount were found";
  return { mapping: undefined, notes: [{ field: "date.column", confidence: "unsure", reason }] };
}

/** The whole rows at the start of a long file. */
function startOf(text: string): string {
  if (text.length <= charactersMax) return text;
  const start = text.slice(0, charactersMax);
  return start.slice(0, start.lastIndexOf("\n") + 1) || start;
}

/** The delimiter under which the file makes most sense. */
function rank({ mapping, notes, place }: CsvGuess & { place: LinesPlace }): number {
  const proven = notes.filter(({ confidence }) => confidence === "proven").length;
  return (mapping ? 1000 : 0) + place.rows.length * 2 + proven + place.width / 100;
}

function guessWith(
  delimiter: CsvMapping["delimiter"],
  place: LinesPlace,
  accountCurrency: string | undefined,
): CsvGuess {
  const notes = new GuessNotes();
  const { header } = place;
  const rows = place.rows.slice(0, rowsMax);
  const cellsOf = (index: number) => rows.map((row) => row.cells[index] ?? "");
  const indexes = Array.from({ length: place.width }, (_, index) => index);
  const named = indexes.map((index) => cellsOf(index)[0]?.toUpperCase() ?? "").find(isCurrency);
  const known = named ?? accountCurrency ?? defaultCurrency;
  const columns = indexes.map((index) =>
    columnFacts(index, header?.cells[index] ?? "", cellsOf(index), known),
  );
  notes.add("delimiter", "proven", "the rows have the same number of cells");
  notes.add(
    "has_header",
    "likely",
    header ? "the row holds names" : "the first line has no names above",
  );
  if (place.after > 0) {
    notes.add("skip_last_rows", "unsure", `the last ${place.after} rows have no date or no amount`);
  }
  const dates = guessDates(columns, { notes, isAmerican: known === "USD" });
  if (!dates) return { mapping: undefined, notes: notes.all };
  const order = orderOfDays(readDays(dates.date.column, dates.date.format));
  const fileOrder = order === "oldest_first" || order === "newest_first" ? order : undefined;
  const amount = guessAmount(columns, fileOrder, known);
  if (!amount) {
    notes.add("amount", "unsure", "no column holds amounts");
    return { mapping: undefined, notes: notes.all };
  }
  noteAmount(amount, notes);
  const currency = guessCurrency(columns, amount, accountCurrency, notes);
  const used = new Set<ColumnFacts | undefined>([
    dates.date.column,
    dates.valueDate?.column,
    ...amount.columns,
    amount.balance,
    currency.column,
  ]);
  const texts = guessTexts(
    columns.filter((column) => !used.has(column) && column.dateFormats.length === 0),
    notes,
  );
  const name = columnNames(columns, header !== undefined);
  const mapping: CsvMapping = {
    delimiter,
    skip_rows: place.before,
    skip_last_rows: place.after,
    has_header: header !== undefined,
    date: { column: name(dates.date.column), format: dates.date.format },
    ...(dates.valueDate && {
      value_date: { column: name(dates.valueDate.column), format: dates.valueDate.format },
    }),
    amount: amountOf(amount, name),
    ...guessMarks(amount, notes),
    currency: currency.column ? { column: name(currency.column) } : { fixed: currency.fixed },
    ...textsOf(texts, name),
    ...(amount.balance && { balance: name(amount.balance) }),
    order: guessOrder(amount, fileOrder, notes),
  };
  return { mapping, notes: notes.all };
}

/** The name in the header, unless it is empty or there twice. */
function columnNames(columns: readonly ColumnFacts[], hasHeader: boolean) {
  const names = columns.map(({ header }) => comparableHeader(header));
  return ({ header, index }: ColumnFacts): CsvColumn => {
    const isUnique = names.filter((name) => name === names[index]).length === 1;
    return hasHeader && header !== "" && isUnique ? header : index + 1;
  };
}

type Name = (column: ColumnFacts) => CsvColumn;

function amountOf(
  { kind, columns, isFlipped, debitWords, creditWords }: GuessedAmount,
  name: Name,
): CsvAmount {
  const [first, second] = columns as [ColumnFacts, ColumnFacts];
  if (kind === "signed") {
    return { kind, column: name(first), ...(isFlipped && { debits_positive: true }) };
  }
  if (kind === "debit_credit") {
    const sides = { debit: name(first), credit: name(second) };
    return { kind, ...sides, ...(isFlipped && { debits_negative: true }) };
  }
  const indicator = { column: name(first), indicator: name(second) };
  return { kind, ...indicator, debit_words: debitWords, credit_words: creditWords };
}

function noteAmount(
  { kind, proof, hasBothSides, columns }: GuessedAmount,
  notes: GuessNotes,
): void {
  if (proof !== "none") {
    const isOnly = proof === "only";
    const doubt = isOnly
      ? "the balances follow from them, but all are on the same side"
      : "the balances follow from them, but would also in another order or with another sign";
    if (isOnly && hasBothSides)
      notes.add("amount", "proven", "the balances follow from the amounts");
    else notes.add("amount", "likely", doubt);
    const reason = "each balance follows from the one before and the amount";
    notes.add("balance", isOnly ? "proven" : "likely", reason);
    return;
  }
  const isNamed = columns.every(({ uses }) => uses.size > 0);
  const isDecided = kind !== "signed" || hasBothSides;
  if (isDecided) notes.add("amount", isNamed ? "likely" : "unsure", "by the header and the values");
  else notes.add("amount", "unsure", "all amounts have the same sign: are debits below zero?");
}

function guessMarks({ marks }: GuessedAmount, notes: GuessNotes): AmountMarks {
  const [first = { decimal: ".", group: "" } as const] = marks;
  const isOneDecimal = marks.every(({ decimal }) => decimal === first.decimal);
  if (isOneDecimal)
    notes.add("decimal", "proven", `all amounts have their decimals after ${first.decimal}`);
  else notes.add("decimal", "unsure", "no amount shows which mark is before the decimals");
  if (marks.length === 1) {
    notes.add("group", "proven", "the amounts show it");
    return first;
  }
  // Larger amounts may come with it.
  const usual = first.decimal === "." ? "," : ".";
  notes.add("group", "unsure", `no amount shows what is between thousands; ${usual} is usual`);
  return { decimal: first.decimal, group: usual };
}

function guessCurrency(
  columns: readonly ColumnFacts[],
  amount: GuessedAmount,
  accountCurrency: string | undefined,
  notes: GuessNotes,
): { column: ColumnFacts | undefined; fixed: string } {
  const [column] = columns.filter((one) => one.isCurrency);
  const headers = [...amount.columns, amount.balance].map((one) => one?.header ?? "");
  const named = headers.flatMap((header) => header.match(/\b[A-Z]{3}\b/g) ?? []).find(isCurrency);
  const fixed = named ?? accountCurrency ?? defaultCurrency;
  if (column) notes.add("currency", "proven", "every line names one");
  else if (named) notes.add("currency", "likely", "the header of the amount names it");
  else if (accountCurrency) notes.add("currency", "likely", "the currency of the bank connection");
  else notes.add("currency", "unsure", "the file names none");
  return { column, fixed };
}

function textsOf({ description, status, ...others }: GuessedTexts, name: Name) {
  const named = Object.entries(others).flatMap(([use, column]) =>
    column ? [[use, name(column)] as const] : [],
  );
  return {
    description: description.map(name),
    ...(Object.fromEntries(named) as Partial<Record<keyof typeof others, CsvColumn>>),
    ...(status && { status: { column: name(status.column), booked_words: status.booked } }),
  };
}

function guessOrder(
  { order, proof }: GuessedAmount,
  fileOrder: CsvMapping["order"] | undefined,
  notes: GuessNotes,
): CsvMapping["order"] {
  if (order && proof === "only") {
    notes.add("order", "proven", "by the balances");
    return order;
  }
  if (fileOrder) {
    notes.add("order", "likely", "by the dates");
    return fileOrder;
  }
  notes.add("order", "unsure", "neither the dates nor the balances say it");
  return order ?? "oldest_first";
}
