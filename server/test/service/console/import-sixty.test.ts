// Sixty spreadsheets as people make them, of three countries, as CSV and as workbooks, each with one ordinary mistake: every row
// is paid as it was meant, or refused with its cell and the cure. A second upload pays nothing twice.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { FileCheck } from "../../../src/doors/console/imports/schema.ts";
import type { ImportLine } from "../../../src/money/imports/schema.ts";
import { verifyLedger } from "../../../src/money/ledger/verify.ts";
import { type ConsoleService, startConsole, type TestPerson } from "../../support/console.ts";
import { asFile } from "../../support/import-file.ts";
import { newPayee, type Payee } from "../../support/payers.ts";
import type { TestCaller } from "../../support/service.ts";
import { type Cell, spreadsheet } from "../../support/spreadsheets.ts";

type Locale = {
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

const locales: Locale[] = [
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

/** A row as it is meant. The amount is in minor units. */
type Meant = { to: number; amount: number; day: string };
type Sheet = {
  header: Cell[];
  rows: Cell[][];
  /** Before the header. */
  above: Cell[][];
  merged: string[];
  hidden: number[];
};

type Mistake = {
  name: string;
  only?: "csv" | "xlsx";
  make(sheet: Sheet, locale: Locale, isWorkbook: boolean): void;
  /** The rows that are refused, by number, with the field and what it says. Rows count from 2. */
  refused?: Record<number, [field: string, message: RegExp]>;
  text?: (csv: string) => string | Buffer;
};

const [EMAIL, AMOUNT, CURRENCY, DAY, ACCOUNT] = [0, 1, 2, 4, 5] as const;
const set = (sheet: Sheet, row: number, column: number, value: Cell) => {
  (sheet.rows[row - 2] as Cell[])[column] = value;
};
const change = (sheet: Sheet, column: number, to: (cell: Cell) => Cell) => {
  for (const row of sheet.rows) row[column] = to(row[column] as Cell);
};
const textOf = (cell: Cell) => String(cell);

const mistakes: Mistake[] = [
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
    name: "an email of nobody, and an empty one",
    make: (sheet) => {
      set(sheet, 2, EMAIL, "nobody@example.com");
      set(sheet, 5, EMAIL, "");
      set(sheet, 5, ACCOUNT, "");
    },
    refused: {
      2: ["receiver_email", /^No receiver has this email$/],
      5: ["receiver_email", /^The row names nobody$/],
    },
  },
  {
    name: "the account of somebody else",
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

function amountText(minor: number, { decimal, group }: Locale): string {
  const whole = String(Math.floor(minor / 100)).replace(/\B(?=(\d{3})+$)/g, group);
  return `${whole}${decimal}${String(minor % 100).padStart(2, "0")}`;
}

/** The same numbers in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

let service: ConsoleService;
let finance: TestPerson;
let caller: TestCaller;
/** By currency: each is paid in the currency of its country. */
const payees: Record<string, (Payee & { email: string; number: string })[]> = {};
const numbers: Record<string, string[]> = {
  AUD: ["00112233", "11223344", "22334455"],
  EUR: ["DE02120300000000202051", "DE02500105170137075030", "DE02100500000054540402"],
};
const countries: Record<string, [person: object, bank?: object]> = {
  AUD: [{}],
  EUR: [{ country: "DEU", state: "", postcode: "10115" }, {}],
};
beforeAll(async () => {
  service = await startConsole();
  finance = service.enter("operator");
  caller = await service.newCaller();
  const { disburse } = caller;
  for (const [currency, ofCurrency] of Object.entries(numbers)) {
    await disburse.testHelpers.fund({ amount: 1_000_000_000, currency, reference: currency });
    const [person, bank] = countries[currency] ?? [{}];
    payees[currency] = [];
    for (const number of ofCurrency) {
      const email = `payee-${number.toLowerCase()}@example.com`;
      const payee = await newPayee(disburse, number, { email, ...person }, bank);
      payees[currency].push({ ...payee, email, number });
    }
  }
});
afterAll(async () => {
  expect((await verifyLedger(service.db)).differences).toEqual([]);
  await service.close();
});

const daySerial = (iso: string) => Date.parse(iso) / 86_400_000 + 25_569;

function csvOf({ above, header, rows }: Sheet, separator: string): string {
  const cell = (value: Cell) => {
    const text = textOf(value);
    return text.includes(separator) || text.includes('"')
      ? `"${text.replaceAll('"', '""')}"`
      : text;
  };
  return [...above, header, ...rows].map((row) => row.map(cell).join(separator)).join("\r\n");
}

function fileOf(mistake: Mistake, locale: Locale, isWorkbook: boolean, name: string) {
  const random = seeded(name.length * 7_919);
  const ofCurrency = payees[locale.currency] ?? [];
  const meant: Meant[] = Array.from({ length: 6 }, (_, index) => ({
    to: index % ofCurrency.length,
    // Thousands in every file, so that it says how it writes decimals.
    amount: 123_401 + Math.floor(random() * 900_000) + index,
    day: `2027-0${1 + (index % 9)}-${14 + index}`,
  }));
  const rows = meant.map(({ to, amount, day }, index): Cell[] => {
    const { email = "", number = "" } = ofCurrency[to] ?? {};
    const shown = isWorkbook ? amount / 100 : amountText(amount, locale);
    const on = isWorkbook ? { value: daySerial(day), style: 1 } : locale.day(day);
    return [email, shown, locale.currency, `${name} ${index + 2}`, on, number];
  });
  const sheet: Sheet = { header: [...locale.header], rows, above: [], merged: [], hidden: [] };
  mistake.make(sheet, locale, isWorkbook);
  if (isWorkbook) {
    const { merged, hidden } = sheet;
    return {
      meant,
      file: spreadsheet([...sheet.above, sheet.header, ...sheet.rows], { merged, hidden }),
    };
  }
  const separator = mistake.name.includes("tabs") ? "\t" : locale.separator;
  const csv = csvOf(sheet, separator);
  return { meant, file: mistake.text?.(csv) ?? csv };
}

async function importOnce(file: string | Uint8Array) {
  const path = `/s/${caller.subaccountId}/payouts/import`;
  const check = (await finance.post(`${path}/check`, asFile(file))).json as FileCheck;
  const totals = check.totals
    .filter(({ payouts }) => payouts > 0)
    .map(({ currency, amount }) => ({ currency, amount }));
  const { status, text } = await finance.post(path, { ...asFile(file), totals });
  expect(status).toBe(200);
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as ImportLine);
  return { check, outcomes: lines.flatMap((line) => (line.kind === "row" ? [line.outcome] : [])) };
}

async function paidFor(name: string) {
  const { rows } = await service.db.pool.query(
    `select reference, amount::int, currency, account_id, send_on::text from payout
     where subaccount_id = $1 and reference like $2 order by reference`,
    [caller.subaccountId, `${name} %`],
  );
  return rows;
}

const cases = locales.flatMap((locale) =>
  mistakes.flatMap((mistake) =>
    (["csv", "xlsx"] as const)
      .filter((format) => mistake.only === undefined || mistake.only === format)
      .map((format) => ({ locale, mistake, format })),
  ),
);

test("there are at least sixty", () => {
  expect(cases.length).toBeGreaterThanOrEqual(60);
});

test.each(cases.map((one) => [one.locale.name, one.format, one.mistake.name, one] as const))(
  "%s, %s: %s",
  async (country, format, _, { locale, mistake }) => {
    const name = `${country} ${format} ${mistakes.indexOf(mistake)}`;
    const { meant, file } = fileOf(mistake, locale, format === "xlsx", name);
    const { refused = {} } = mistake;
    const above = mistake.name.includes("title") ? 2 : 0;
    const { check, outcomes } = await importOnce(file);
    expect(check.reading.missing).toEqual([]);
    const wrong = new Map(check.problems.map((problem) => [problem.row - above, problem]));
    expect([...wrong.keys()]).toEqual(Object.keys(refused).map(Number));
    for (const [row, [field, message]] of Object.entries(refused)) {
      const problem = wrong.get(Number(row));
      expect(problem?.column).toBe(field);
      expect(problem?.message).toMatch(message);
      if (field !== "" && !/required|not valid/.test(problem?.message ?? "")) {
        expect(problem?.cure).not.toBe("");
      }
    }
    const expected = meant.flatMap(({ to, amount, day }, index) =>
      index + 2 in refused
        ? []
        : [
            {
              reference: `${name} ${index + 2}`,
              amount,
              currency: locale.currency,
              account_id: payees[locale.currency]?.[to]?.account_id,
              send_on: day,
            },
          ],
    );
    expect(await paidFor(name)).toEqual(expected);
    expect(outcomes).toEqual(expected.map(() => "created"));

    const again = await importOnce(file);
    expect(again.outcomes).toEqual(expected.map(() => "already_imported"));
    expect(await paidFor(name)).toEqual(expected);
  },
);
