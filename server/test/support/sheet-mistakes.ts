// Ordinary mistakes in spreadsheets, and how three countries write amounts and days: what is refused, and with which words.

import type { Cell } from "./spreadsheets.ts";

export type Locale = {
  name: string;
  currency: string;
  decimal: string;
  group: string;
  separator: string;
  /** Of the columns email, amount, currency, reference, date and account number. */
  header: string[];
  day: (iso: string) => string;
};

const parts = (iso: string) => iso.split("-") as [string, string, string];

export const locales: Locale[] = [
  {
    name: "Australia",
    currency: "AUD",
    decimal: ".",
    group: ",",
    separator: ",",
    header: ["Email", "Amount", "Currency", "Reference", "Pay date", "Account number"],
    day: (iso) => parts(iso).toReversed().join("/"),
  },
  {
    name: "Germany",
    currency: "EUR",
    decimal: ",",
    group: ".",
    separator: ";",
    header: ["E-Mail", "Betrag", "Währung", "Verwendungszweck", "Zahldatum", "Kontonummer"],
    day: (iso) => parts(iso).toReversed().join("."),
  },
  {
    name: "France",
    currency: "EUR",
    decimal: ",",
    group: "\u202f",
    separator: ";",
    header: ["Courriel", "Montant", "Devise", "Référence", "Date de paiement", "Numéro de compte"],
    day: (iso) => parts(iso).toReversed().join("/"),
  },
];

export type MistakenSheet = {
  header: Cell[];
  rows: Cell[][];
  /** Before the header. */
  above: Cell[][];
  merged: string[];
  hidden: number[];
};

export type Mistake = {
  name: string;
  only?: "csv" | "xlsx";
  make(sheet: MistakenSheet, locale: Locale, isWorkbook: boolean): void;
  /** The rows that are refused, by number, with the field and what it says. Rows count from 2. */
  refused?: Record<number, [field: string, message: RegExp]>;
  /** The rows of new payees, which are paid later. */
  later?: number[];
  text?: (csv: string) => string | Buffer;
};

const [EMAIL, AMOUNT, CURRENCY, DAY, ACCOUNT] = [0, 1, 2, 4, 5] as const;
const set = (sheet: MistakenSheet, row: number, column: number, value: Cell) => {
  (sheet.rows[row - 2] as Cell[])[column] = value;
};
const change = (sheet: MistakenSheet, column: number, to: (cell: Cell) => Cell) => {
  for (const row of sheet.rows) row[column] = to(row[column] as Cell);
};
const personHeader = [
  ...["Name", "First name", "Surname", "Date of birth", "Gender", "Dial code", "Mobile", "Street"],
  ...["City", "State", "Postcode", "Country", "BSB"],
];
const accounts: Record<string, string[]> = {
  Australia: ["99887766", "VIC", "3004", "062000"],
  Germany: ["DE89370400440532013000", "", "10115", ""],
  France: ["FR1420041010050500013M02606", "", "75001", ""],
};
/** Columns of new payees, and one who is described in each of these rows: by whole name where it says so. */
const describePayees = (
  sheet: MistakenSheet,
  { name }: Locale,
  rows: Record<number, { country?: string; whole?: string }>,
) => {
  const [account = "", state = "", postcode = "", bsb = ""] = accounts[name] ?? [];
  sheet.header.push(...personHeader);
  for (const [index, row] of sheet.rows.entries()) {
    const given = rows[index + 2];
    if (!given) {
      row.push(...personHeader.map(() => ""));
      continue;
    }
    const { country = name, whole = "" } = given;
    row[EMAIL] = `new-${index}@example.com`;
    row[ACCOUNT] = account;
    row.push(whole, ...(whole ? ["", ""] : ["Jane", "Citizen"]));
    row.push("1990-12-10", "F", "61", "412345678", "1 Long Road", "Melbourne");
    row.push(state, postcode, country, bsb);
  }
};
export const textOf = (cell: Cell) => String(cell);

export const mistakes: Mistake[] = [
  { name: "none", make: () => {} },
  {
    name: "names of columns in capitals, with colons and spaces",
    make: (sheet) => {
      sheet.header = sheet.header.map((name) => ` ${textOf(name).toUpperCase()}: `);
    },
  },
  {
    name: "a title above the header",
    make: (sheet) => {
      sheet.above = [
        ["Payments", "", "", "", "", ""],
        ["", "", "", "", "", ""],
      ];
    },
  },
  { name: "a mark of UTF-8", only: "csv", make: () => {}, text: (csv) => `\ufeff${csv}` },
  {
    name: "Unicode text of Excel, with tabs",
    only: "csv",
    make: () => {},
    text: (csv) => Buffer.from(`\ufeff${csv}`, "utf16le"),
  },
  {
    name: "curly quotes around texts",
    make: (sheet) => {
      change(sheet, EMAIL, (cell) => `“${textOf(cell)}”`);
      change(sheet, CURRENCY, (cell) => `„${textOf(cell)}“`);
    },
  },
  {
    name: "spaces and characters without width",
    make: (sheet) => {
      change(sheet, EMAIL, (cell) => `\u00a0${textOf(cell)}\u200b `);
      change(sheet, CURRENCY, (cell) => ` ${textOf(cell)}\u00a0`);
    },
  },
  {
    name: "amounts with their currency",
    make: (sheet, { currency }) =>
      change(sheet, AMOUNT, (cell) =>
        typeof cell === "number" ? cell : `${textOf(cell)} ${currency}`,
      ),
  },
  {
    name: "an amount that is a text",
    make: (sheet) => set(sheet, 3, AMOUNT, "n/a"),
    refused: { 3: ["amount", /^n\/a is no amount$/] },
  },
  {
    name: "a currency of another country",
    make: (sheet) => set(sheet, 4, AMOUNT, "£5"),
    refused: { 4: ["amount", /^£5 says £/] },
  },
  {
    name: "a negative amount",
    make: (sheet, _, isWorkbook) => set(sheet, 2, AMOUNT, isWorkbook ? -5 : "-5"),
    refused: { 2: ["amount", /^Amount is not valid/] },
  },
  {
    name: "an unknown email, and an empty one",
    make: (sheet) => {
      set(sheet, 2, EMAIL, "unknown@example.com");
      set(sheet, 5, EMAIL, "");
      set(sheet, 5, ACCOUNT, "");
    },
    refused: {
      2: ["receiver_email", /^No receiver has this email$/],
      5: ["receiver_email", /^The row has no receiver$/],
    },
  },
  {
    name: "the example row of a template",
    make: (sheet) => set(sheet, 2, EMAIL, "delete-this-row@example.invalid"),
    refused: { 2: ["receiver_email", /^This is the example row/] },
  },
  {
    name: "a country by its name, one in capitals, one misspelt and one that is none",
    make: (sheet, locale) => {
      const { name } = locale;
      const misspelt = `${name.slice(0, 2)}x${name.slice(2)}`;
      const countries = [name, ` ${name.toUpperCase()} `, misspelt, "Atlantis"];
      const rows = countries.map((country, index) => [index + 2, { country }]);
      describePayees(sheet, locale, Object.fromEntries(rows));
    },
    later: [2, 3],
    refused: {
      4: ["country", / is no country that we know$/],
      5: ["country", /^Atlantis is no country/],
    },
  },
  {
    name: "a whole name in one column",
    make: (sheet, locale) => describePayees(sheet, locale, { 3: { whole: "Jane Mary Citizen" } }),
    refused: { 3: ["last_name", /^“Jane Mary Citizen” is a whole name$/] },
  },
  {
    name: "the account of another receiver",
    make: (sheet) => set(sheet, 2, ACCOUNT, sheet.rows[1]?.[ACCOUNT] as Cell),
    refused: { 2: ["account_number", /is not of/] },
  },
  {
    name: "a row twice",
    make: (sheet) => void sheet.rows.push([...(sheet.rows[0] as Cell[])]),
    refused: { 8: ["", /^Row 2 says the same/] },
  },
  {
    name: "a total below",
    make: (sheet, _, isWorkbook) =>
      void sheet.rows.push(["", isWorkbook ? 99 : "99", "", "Total", "", ""]),
    refused: { 8: ["currency", /required/] },
  },
  {
    name: "a shortened number of an account",
    make: (sheet) => set(sheet, 3, ACCOUNT, "1.23457E+15"),
    refused: { 3: ["account_number", /digits are lost/] },
  },
  {
    name: "a day that is none",
    make: (sheet) => set(sheet, 6, DAY, "end of month"),
    refused: { 6: ["send_on", /is no date$/] },
  },
  {
    name: "merged cells",
    only: "xlsx",
    make: (sheet) => {
      sheet.merged = ["A2:A3"];
      set(sheet, 3, EMAIL, "");
    },
    refused: { 3: ["receiver_email", /^The cell is merged with A2$/] },
  },
  {
    name: "formulas with and without results",
    only: "xlsx",
    make: (sheet) => {
      const amount = sheet.rows[0]?.[AMOUNT] as number;
      set(sheet, 2, AMOUNT, { raw: `<c><f>A1</f><v>${amount}</v></c>` });
      set(sheet, 3, AMOUNT, { raw: "<c><f>A1*2</f></c>" });
      set(sheet, 4, AMOUNT, { raw: '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>' });
    },
    refused: {
      3: ["amount", /^The result of the formula is not in the file$/],
      4: ["amount", /^The formula has no result$/],
    },
  },
  {
    name: "hidden rows",
    only: "xlsx",
    make: (sheet) => {
      sheet.hidden = [5];
    },
    refused: { 5: ["", /^The row is hidden/] },
  },
  {
    name: "an account number that Excel rounded",
    only: "xlsx",
    make: (sheet) => set(sheet, 2, ACCOUNT, 1234567890123456),
    refused: { 2: ["account_number", /only 15 digits/] },
  },
  {
    name: "amounts as texts",
    only: "xlsx",
    make: (sheet, locale) =>
      change(sheet, AMOUNT, (cell) => amountText(Math.round(Number(cell) * 100), locale)),
  },
  {
    name: "too few cells in a row",
    only: "csv",
    make: (sheet) => {
      sheet.rows[1] = (sheet.rows[1] as Cell[]).slice(0, 4);
    },
    refused: { 3: ["", /^There are 4 cells where the header has 6$/] },
  },
  {
    name: "an amount of another country",
    only: "csv",
    make: (sheet, { decimal }) => set(sheet, 2, AMOUNT, decimal === "," ? "1,234" : "1.234"),
    refused: { 2: ["amount", /has more than 2 decimals$/] },
  },
];

export function amountText(minor: number, { decimal, group }: Locale): string {
  const whole = String(Math.floor(minor / 100)).replace(/\B(?=(\d{3})+$)/g, group);
  return `${whole}${decimal}${String(minor % 100).padStart(2, "0")}`;
}
