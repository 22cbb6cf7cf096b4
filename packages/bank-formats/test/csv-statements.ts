// Writes CSV statements as banks do, with any mapping, so that reading and guessing can be compared with what was written.

import fc from "fast-check";
import type { CsvColumn, CsvMapping } from "../src/csv-statement/mapping.ts";
import { csvDelimiters } from "../src/csv-statement/mapping.ts";
import { toDecimal } from "../src/money.ts";

export type WrittenLine = {
  day: string;
  valueDay: string;
  /** Minor units, signed. */
  amount: bigint;
  text: string;
  reference: string;
  partyName: string;
  partyAccount: string;
  bankReference: string;
};

export type WrittenStatement = {
  text: string;
  mapping: CsvMapping;
  currency: string;
  opening: bigint;
  /** Oldest first. */
  lines: WrittenLine[];
};

const dateFormats = [
  "YYYY-MM-DD",
  "YYYYMMDD",
  "DD/MM/YYYY",
  "MM/DD/YYYY",
  "DD.MM.YY",
  "DD.MM.YYYY",
  "DD-MM-YYYY",
  "DD MMM YYYY",
  "MMM DD, YYYY",
] as const;
const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

export function writeDate(day: string, format: string): string {
  const [year = "", month = "", date = ""] = day.split("-");
  return format
    .replace("YYYY", year)
    .replace("YY", year.slice(2))
    .replace("MMM", months[Number(month) - 1] ?? "")
    .replace("MM", month)
    .replace("DD", date);
}

export type SignStyle = "before" | "after" | "brackets";

export function writeAmount(
  amount: bigint,
  { decimal, group }: Pick<CsvMapping, "decimal" | "group">,
  currency: string,
  style: SignStyle = "before",
): string {
  const [whole = "", part] = toDecimal(amount < 0n ? -amount : amount, currency).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, group);
  const text = part === undefined ? grouped : `${grouped}${decimal}${part}`;
  if (amount >= 0n) return text;
  return { before: `-${text}`, after: `${text}-`, brackets: `(${text})` }[style];
}

const word = fc.constantFrom(
  "Rent",
  "Lohn",
  "facture",
  'ÄÖ, 5" pipe',
  "a;b",
  "x|y",
  "it's",
  "№ 7",
  "pago",
  '"q"',
  "line\nbreak",
);
const words = fc.array(word, { minLength: 1, maxLength: 3 }).map((all) => all.join(" "));
const day = fc
  .integer({ min: Date.UTC(2020, 0, 1) / 86_400_000, max: Date.UTC(2030, 11, 31) / 86_400_000 })
  .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));
const amount = fc
  .bigInt({ min: -99_999_999_99n, max: 99_999_999_99n })
  .filter((value) => value !== 0n);

const line = fc.record({
  day,
  valueDay: day,
  amount,
  text: words,
  reference: fc.constantFrom("", "RF18", "Invoice 7", "2026-1"),
  partyName: fc.constantFrom("", "Jane Citizen", "Müller & Söhne"),
  partyAccount: fc.constantFrom("", "DE89370400440532013000", "12-3456-789"),
  bankReference: fc.stringMatching(/^B[0-9]{6}$/),
});

/** Names that the guess knows, in several languages. */
const headers: Record<string, readonly string[]> = {
  date: ["Date", "Buchungstag", "Date operation", "Fecha", "Boekdatum"],
  value_date: ["Value date", "Wertstellung", "Date de valeur", "Fecha valor", "Rentedatum"],
  amount: ["Amount", "Betrag", "Montant", "Importe", "Bedrag"],
  debit: ["Debit", "Soll", "Débit", "Cargo", "Money out"],
  credit: ["Credit", "Haben", "Crédit", "Abono", "Money in"],
  indicator: ["Debit/Credit", "Soll/Haben", "Sens", "Debe/Haber", "Af Bij"],
  balance: ["Balance", "Saldo", "Solde", "Kontostand", "Running balance"],
  currency: ["Currency", "Währung", "Devise", "Divisa", "Muntsoort"],
  description: ["Description", "Verwendungszweck", "Libellé", "Concepto", "Omschrijving"],
  reference: ["Reference", "Kundenreferenz", "Référence client", "Referencia", "Kenmerk"],
  bank_reference: [
    "Bank reference",
    "Transaktionsnummer",
    "Transaction ID",
    "Volgnr",
    "Bankreferenz",
  ],
  party_name: ["Name", "Auftraggeber", "Bénéficiaire", "Beneficiario", "Tegenpartij"],
  party_account: ["Counterparty IBAN", "Gegenkonto", "IBAN", "Tegenrekening", "Payee account"],
};

const plan = fc.record({
  delimiter: fc.constantFrom(...csvDelimiters),
  marks: fc.constantFrom(
    { decimal: ".", group: "" } as const,
    { decimal: ".", group: "," } as const,
    { decimal: ".", group: "'" } as const,
    { decimal: ".", group: " " } as const,
    { decimal: ",", group: "" } as const,
    { decimal: ",", group: "." } as const,
    { decimal: ",", group: " " } as const,
  ),
  format: fc.constantFrom(...dateFormats),
  kind: fc.constantFrom("signed", "flipped", "debit_credit", "debits_negative", "indicator"),
  sign: fc.constantFrom<SignStyle[]>("before", "after", "brackets"),
  currency: fc.constantFrom("EUR", "USD", "AUD", "JPY", "KWD"),
  hasCurrencyColumn: fc.boolean(),
  hasHeader: fc.boolean(),
  language: fc.integer({ min: 0, max: 4 }),
  preamble: fc.integer({ min: 0, max: 3 }),
  footer: fc.integer({ min: 0, max: 2 }),
  optional: fc.subarray([
    "value_date",
    "balance",
    "reference",
    "bank_reference",
    "party_name",
    "party_account",
  ] as const),
  order: fc.constantFrom("oldest_first", "newest_first"),
  places: fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 13, maxLength: 13 }),
  quotesAll: fc.boolean(),
  ending: fc.constantFrom("\n", "\r\n"),
});
type Plan = typeof plan extends fc.Arbitrary<infer Value> ? Value : never;

export const anyStatement: fc.Arbitrary<WrittenStatement> = fc
  .record({
    plan,
    opening: fc.bigInt({ min: -10_000_00n, max: 10_000_00n }),
    lines: fc.array(line, { minLength: 1, maxLength: 12 }),
  })
  .map(({ plan: chosen, opening, lines }) => {
    const sorted = lines.toSorted((one, other) =>
      one.day < other.day ? -1 : Number(one.day > other.day),
    );
    return write(chosen, opening, sorted);
  });

type Column = { use: string; cell(line: WrittenLine, balance: bigint): string };

function columnsOf(chosen: Plan): Column[] {
  const { marks, currency, format, sign, kind, optional } = chosen;
  const money = (value: bigint) => writeAmount(value, marks, currency, sign);
  const unsigned = (value: bigint) => money(value < 0n ? -value : value);
  const amounts: Record<Plan["kind"], Column[]> = {
    signed: [{ use: "amount", cell: ({ amount: value }) => money(value) }],
    flipped: [{ use: "amount", cell: ({ amount: value }) => money(-value) }],
    debit_credit: [
      { use: "debit", cell: ({ amount: value }) => (value < 0n ? unsigned(value) : "") },
      { use: "credit", cell: ({ amount: value }) => (value > 0n ? money(value) : "") },
    ],
    debits_negative: [
      { use: "debit", cell: ({ amount: value }) => (value < 0n ? money(value) : "") },
      { use: "credit", cell: ({ amount: value }) => (value > 0n ? money(value) : "") },
    ],
    indicator: [
      { use: "amount", cell: ({ amount: value }) => unsigned(value) },
      { use: "indicator", cell: ({ amount: value }) => (value < 0n ? "D" : "C") },
    ],
  };
  const others: Record<(typeof optional)[number], Column["cell"]> = {
    value_date: ({ valueDay }) => writeDate(valueDay, format),
    balance: (_, balance) => money(balance),
    reference: ({ reference }) => reference,
    bank_reference: ({ bankReference }) => bankReference,
    party_name: ({ partyName }) => partyName,
    party_account: ({ partyAccount }) => partyAccount,
  };
  return [
    { use: "date", cell: (given: WrittenLine) => writeDate(given.day, format) },
    ...amounts[kind],
    ...(chosen.hasCurrencyColumn ? [{ use: "currency", cell: () => currency }] : []),
    { use: "description", cell: (given: WrittenLine) => given.text },
    ...optional.map((use) => ({ use, cell: others[use] })),
  ]
    .map((column, index) => ({ column, place: chosen.places[index] ?? 0 }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ column }) => column);
}

function write(chosen: Plan, opening: bigint, lines: WrittenLine[]): WrittenStatement {
  const columns = columnsOf(chosen);
  const nameOf = (use: string) => headers[use]?.[chosen.language] ?? use;
  let balance = opening;
  const rows = lines.map((given) => {
    balance += given.amount;
    const after = balance;
    return columns.map(({ cell }) => cell(given, after));
  });
  if (chosen.order === "newest_first") rows.reverse();
  const preamble = Array.from({ length: chosen.preamble }, (_, row) => [`Statement ${row}`]);
  const footer = Array.from({ length: chosen.footer }, () => ["End of the list"]);
  const header = chosen.hasHeader ? [columns.map(({ use }) => nameOf(use))] : [];
  const text = [...preamble, ...header, ...rows, ...footer]
    .map(
      (cells) => cells.map((cell) => quoted(cell, chosen)).join(chosen.delimiter) + chosen.ending,
    )
    .join("");
  return {
    text,
    mapping: mappingOf(chosen, columns, nameOf),
    currency: chosen.currency,
    opening,
    lines,
  };
}

function quoted(cell: string, { delimiter, quotesAll }: Plan): string {
  const isNeeded = quotesAll || cell.includes(delimiter) || /["\r\n]/.test(cell);
  return isNeeded ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function mappingOf(
  chosen: Plan,
  columns: readonly Column[],
  nameOf: (use: string) => string,
): CsvMapping {
  const column = (use: string): CsvColumn =>
    chosen.hasHeader ? nameOf(use) : columns.findIndex((one) => one.use === use) + 1;
  const { format, kind } = chosen;
  const amounts: Record<Plan["kind"], CsvMapping["amount"]> = {
    signed: { kind: "signed", column: column("amount") },
    flipped: { kind: "signed", column: column("amount"), debits_positive: true },
    debit_credit: { kind: "debit_credit", debit: column("debit"), credit: column("credit") },
    debits_negative: {
      kind: "debit_credit",
      debit: column("debit"),
      credit: column("credit"),
      debits_negative: true,
    },
    indicator: {
      kind: "indicator",
      column: column("amount"),
      indicator: column("indicator"),
      debit_words: ["D"],
      credit_words: ["C"],
    },
  };
  const optional = chosen.optional.map((use) => [
    use,
    use === "value_date" ? { column: column(use), format } : column(use),
  ]);
  return {
    delimiter: chosen.delimiter,
    skip_rows: chosen.preamble,
    skip_last_rows: chosen.footer,
    has_header: chosen.hasHeader,
    date: { column: column("date"), format },
    amount: amounts[kind as Plan["kind"]],
    decimal: chosen.marks.decimal,
    group: chosen.marks.group,
    currency: chosen.hasCurrencyColumn
      ? { column: column("currency") }
      : { fixed: chosen.currency },
    description: [column("description")],
    ...Object.fromEntries(optional),
    order: chosen.order as CsvMapping["order"],
  };
}
