// Changes of a mapping for CSV statements: what a column of the sample is read as. While a needed column is open, it is empty. Pure.

import type { CsvMappingPreview } from "@server/doors/console/csv-mapping/schema.ts";

export type CsvMapping = NonNullable<CsvMappingPreview["mapping"]>;
type Column = CsvMapping["date"]["column"];

const simpleUses = [
  "reference",
  "bank_reference",
  "party_name",
  "party_account",
  "code",
  "account",
  "balance",
] as const;

export const columnUses = {
  date: "Date",
  value_date: "Value date",
  amount: "Amount",
  debit: "Debits",
  credit: "Credits",
  indicator: "Debit or credit",
  currency: "Currency",
  description: "Description",
  reference: "Reference",
  bank_reference: "Bank reference",
  party_name: "Name of the other side",
  party_account: "Account of the other side",
  code: "Code of the bank",
  account: "Our own account",
  balance: "Balance after the line",
  status: "Status",
} as const;
export type ColumnUse = keyof typeof columnUses;

const open = "";

/** As a mapping names it: by its number where its name says too little. */
export function columnAt(header: readonly string[], place: number): Column {
  const name = header[place] ?? "";
  const isUnique = header.filter((other) => comparable(other) === comparable(name)).length === 1;
  return name !== "" && isUnique ? name : place + 1;
}

const comparable = (name: string) => name.trim().replace(/\s+/g, " ").toLowerCase();

function isAt(column: Column | undefined, header: readonly string[], place: number): boolean {
  if (typeof column !== "string") return column === place + 1;
  return column !== open && comparable(column) === comparable(header[place] ?? "");
}

/** What each use of the mapping names. */
function usesOf({ date, value_date, amount, currency, description, status, ...rest }: CsvMapping) {
  const found: [ColumnUse, Column | undefined][] = [
    ["date", date.column],
    ["value_date", value_date?.column],
    ["currency", "column" in currency ? currency.column : undefined],
    ...description.map((column): [ColumnUse, Column] => ["description", column]),
    ...simpleUses.map((use): [ColumnUse, Column | undefined] => [use, rest[use]]),
    ["status", status?.column],
  ];
  if ("debit" in amount) found.push(["debit", amount.debit], ["credit", amount.credit]);
  else found.push(["amount", amount.column]);
  if ("indicator" in amount) found.push(["indicator", amount.indicator]);
  return found;
}

export function columnUseAt(
  mapping: CsvMapping,
  header: readonly string[],
  place: number,
): ColumnUse | undefined {
  return usesOf(mapping).find(([_, column]) => isAt(column, header, place))?.[0];
}

/** The uses that still need a column. */
export function openUses(mapping: CsvMapping): ColumnUse[] {
  return usesOf(mapping).flatMap(([use, column]) => (column === open ? [use] : []));
}

/** Undefined: the column is not read. `currency`: of every line, where no column has it. */
export function withUse(
  mapping: CsvMapping,
  { header, place, currency }: { header: readonly string[]; place: number; currency: string },
  use: ColumnUse | undefined,
): CsvMapping {
  const column = columnAt(header, place);
  const without = freed(mapping, (other) => isAt(other, header, place), currency);
  return use === undefined ? without : withColumn(without, use, column);
}

function freed(
  mapping: CsvMapping,
  isIt: (column: Column | undefined) => boolean,
  fixed: string,
): CsvMapping {
  const { date, amount, currency, description } = mapping;
  const next: CsvMapping = {
    ...mapping,
    date: isIt(date.column) ? { ...date, column: open } : date,
    currency: "column" in currency && isIt(currency.column) ? { fixed } : currency,
    description: description.filter((column) => !isIt(column)),
    amount: Object.fromEntries(
      Object.entries(amount).map(([name, value]) => [
        name,
        name !== "kind" && isIt(value as Column) ? open : value,
      ]),
    ) as CsvMapping["amount"],
  };
  for (const use of simpleUses) if (isIt(next[use])) delete next[use];
  if (isIt(next.value_date?.column)) delete next.value_date;
  if (isIt(next.status?.column)) delete next.status;
  return next;
}

function withColumn(mapping: CsvMapping, use: ColumnUse, column: Column): CsvMapping {
  const { amount, date, status } = mapping;
  switch (use) {
    case "date":
      return { ...mapping, date: { ...date, column } };
    case "value_date":
      return { ...mapping, value_date: { format: date.format, ...mapping.value_date, column } };
    case "currency":
      return { ...mapping, currency: { column } };
    case "description":
      return { ...mapping, description: [...mapping.description, column] };
    case "status":
      return { ...mapping, status: { booked_words: ["Booked"], ...status, column } };
    case "amount":
      return "debit" in amount
        ? { ...mapping, amount: { kind: "signed", column } }
        : { ...mapping, amount: { ...amount, column } };
    case "debit":
    case "credit": {
      const kept = "debit" in amount ? amount : { debit: open, credit: open };
      return { ...mapping, amount: { ...kept, kind: "debit_credit", [use]: column } };
    }
    case "indicator": {
      const words = { debit_words: ["D", "DR", "Debit"], credit_words: ["C", "CR", "Credit"] };
      const kept = "indicator" in amount ? amount : words;
      const of = "debit" in amount ? open : amount.column;
      return { ...mapping, amount: { column: of, ...kept, kind: "indicator", indicator: column } };
    }
    default:
      return { ...mapping, [use]: column };
  }
}
