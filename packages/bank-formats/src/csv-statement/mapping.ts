// What the columns of a bank's CSV statements mean. A user saves it once for a bank connection.

/** The name in the header, or the number of the column, from 1. */
export type CsvColumn = string | number;

export const csvDelimiters = [",", ";", "\t", "|"] as const;
export const csvDecimals = [".", ","] as const;
/** What stands between thousands. A space is also a narrow or non-breaking one. */
export const csvGroups = ["", ",", ".", " ", "'"] as const;
export const csvOrders = ["oldest_first", "newest_first"] as const;

export type CsvDate = {
  column: CsvColumn;
  /** Of YYYY or YY, MM or MMM (a month's name) and DD, such as DD.MM.YYYY. A time behind it is not read. */
  format: string;
};

export type CsvAmount =
  /** One column; debits are below zero, or above where `debits_positive`. */
  | { kind: "signed"; column: CsvColumn; debits_positive?: boolean }
  /** One column for debits and one for credits; debits are above zero, or below where `debits_negative`. */
  | {
      kind: "debit_credit";
      debit: CsvColumn;
      credit: CsvColumn;
      debits_negative?: boolean;
    }
  /** An amount without a sign, and a column that says debit or credit by one of these words. */
  | {
      kind: "indicator";
      column: CsvColumn;
      indicator: CsvColumn;
      debit_words: string[];
      credit_words: string[];
    };

export type CsvMapping = {
  delimiter: (typeof csvDelimiters)[number];
  /** Rows before the header, or before the first line where there is no header. Empty rows don't count. */
  skip_rows: number;
  /** Rows after the last line. */
  skip_last_rows: number;
  has_header: boolean;
  date: CsvDate;
  value_date?: CsvDate;
  amount: CsvAmount;
  decimal: (typeof csvDecimals)[number];
  group: (typeof csvGroups)[number];
  currency: { column: CsvColumn } | { fixed: string };
  /** Joined with a space between them. */
  description: CsvColumn[];
  reference?: CsvColumn;
  bank_reference?: CsvColumn;
  party_name?: CsvColumn;
  party_account?: CsvColumn;
  /** The bank's code of the transaction. */
  code?: CsvColumn;
  /** Our own account, where the file names it. */
  account?: CsvColumn;
  /** The balance after the line. */
  balance?: CsvColumn;
  /** Rows with another word in this column are not booked yet, and left out. */
  status?: { column: CsvColumn; booked_words: string[] };
  order: (typeof csvOrders)[number];
};

/** Every column that a mapping names, with what it is for. */
export function columnsOf(mapping: CsvMapping): { use: string; column: CsvColumn }[] {
  const { date, value_date, amount, currency, description, status } = mapping;
  const found: { use: string; column: CsvColumn | undefined }[] = [
    { use: "date", column: date.column },
    { use: "value_date", column: value_date?.column },
    ...amountColumns(amount),
    { use: "currency", column: "column" in currency ? currency.column : undefined },
    ...description.map((column) => ({ use: "description", column })),
    ...simpleColumns.map((use) => ({ use, column: mapping[use] })),
    { use: "status", column: status?.column },
  ];
  return found.flatMap(({ use, column }) => (column === undefined ? [] : [{ use, column }]));
}

const simpleColumns = [
  "reference",
  "bank_reference",
  "party_name",
  "party_account",
  "code",
  "account",
  "balance",
] as const;

function amountColumns(amount: CsvAmount): { use: string; column: CsvColumn }[] {
  switch (amount.kind) {
    case "signed":
      return [{ use: "amount", column: amount.column }];
    case "debit_credit":
      return [
        { use: "debit", column: amount.debit },
        { use: "credit", column: amount.credit },
      ];
    case "indicator":
      return [
        { use: "amount", column: amount.column },
        { use: "indicator", column: amount.indicator },
      ];
  }
}

/** Headers are compared without regard to case and space. */
export function comparableHeader(name: string): string {
  return name.trim().replace(/\s+/g, " ").toLowerCase();
}

/** Words of a cell are compared in the same way. */
export function hasWord(words: readonly string[], text: string): boolean {
  return words.some((word) => comparableHeader(word) === comparableHeader(text));
}
