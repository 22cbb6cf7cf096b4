// CSV statements: read by their mapping, oldest first, with every problem and its place.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCsvAmount } from "../src/csv-statement/amounts.ts";
import { isDateFormat, readCsvDate } from "../src/csv-statement/dates.ts";
import type { CsvMapping } from "../src/csv-statement/mapping.ts";
import { csvMappingProblems } from "../src/csv-statement/mapping-check.ts";
import { readStatement } from "../src/statement.ts";
import type { StatementEnd, StatementLine } from "../src/statement-records.ts";
import { anyStatement, writeAmount } from "./csv-statements.ts";

const mapping: CsvMapping = {
  delimiter: ";",
  skip_rows: 0,
  skip_last_rows: 0,
  has_header: true,
  date: { column: "Day", format: "DD.MM.YYYY" },
  amount: { kind: "signed", column: "Amount" },
  decimal: ",",
  group: ".",
  currency: { fixed: "EUR" },
  description: ["Text"],
  balance: "Balance",
  order: "oldest_first",
};
const header = "Day;Text;Amount;Balance";
const rows = ["16.11.2026;Rent;-1.000,00;500,00", "17.11.2026;Salary;2.000,50;2.500,50"];
const fileOf = (...all: string[]) => `${all.join("\n")}\n`;

function read(text: string, csv: CsvMapping = mapping) {
  const lines: StatementLine[] = [];
  const ends: StatementEnd[] = [];
  const records = readStatement(text, { csv });
  for (;;) {
    const { done, value } = records.next();
    if (done) {
      const problems = value.problems.map(
        ({ severity, line, column, message }) => `${severity} ${line}:${column} ${message}`,
      );
      return { lines, ends, problems, report: value };
    }
    if (value.kind === "line") lines.push(value);
    else ends.push(value);
  }
}

const without = (name: keyof CsvMapping): CsvMapping => {
  const { [name]: _, ...rest } = mapping;
  return rest as CsvMapping;
};

test("a statement is read with its lines and balances", () => {
  const { lines, ends, problems, report } = read(fileOf(header, ...rows));
  expect(problems).toEqual([]);
  expect(report).toMatchObject({ format: "csv", count: 2 });
  expect(report.totals).toEqual(new Map([["EUR", { credit: 200_050n, debit: 100_000n }]]));
  expect(lines).toMatchObject([
    { place: { line: 2 }, day: "2026-11-16", amount: -100_000n, currency: "EUR", text: "Rent" },
    { place: { line: 3 }, day: "2026-11-17", amount: 200_050n, text: "Salary", account: "" },
  ]);
  expect(ends).toEqual([
    {
      kind: "statement",
      place: { line: 2, column: 1 },
      form: "statement",
      account: "",
      currency: "EUR",
      bankId: "",
      sequence: "",
      fromDay: "2026-11-16",
      toDay: "2026-11-17",
      opening: 150_000n,
      closing: 250_050n,
      lines: 2,
    },
  ]);
});

test("any statement that is written with any mapping is read back equal", () => {
  fc.assert(
    fc.property(anyStatement, ({ text, mapping: csv, currency, opening, lines: written }) => {
      const { lines, ends, problems } = read(text, csv);
      expect(problems.filter((problem) => problem.startsWith("error"))).toEqual([]);
      const expected = written.map((line) => ({
        day: line.day,
        valueDay: csv.value_date ? line.valueDay : "",
        amount: line.amount,
        currency,
        text: line.text.replace(/\s+/g, " "),
        customerReference: csv.reference ? line.reference : "",
        bankReference: csv.bank_reference ? line.bankReference : "",
        partyName: csv.party_name ? line.partyName : "",
        partyAccount: csv.party_account ? line.partyAccount : "",
      }));
      expect(lines).toMatchObject(expected);
      expect(new Set(lines.map(({ entryKey }) => entryKey)).size).toBe(written.length);
      const sum = written.reduce((total, { amount }) => total + amount, 0n);
      expect(ends).toMatchObject([
        csv.balance
          ? { opening, closing: opening + sum, lines: written.length }
          : { opening: undefined, closing: undefined, lines: written.length },
      ]);
    }),
    { numRuns: 300 },
  );
});

describe("rows", () => {
  test("newest first is turned round, so that equal lines have the same keys in every file", () => {
    const csv: CsvMapping = { ...mapping, order: "newest_first" };
    const { lines, ends, problems } = read(fileOf(header, ...rows.toReversed()), csv);
    expect(problems).toEqual([]);
    expect(lines.map(({ text }) => text)).toEqual(["Rent", "Salary"]);
    expect(ends[0]).toMatchObject({ opening: 150_000n, closing: 250_050n, place: { line: 2 } });
    const keys = read(fileOf(header, ...rows)).lines.map(({ entryKey }) => entryKey);
    expect(lines.map(({ entryKey }) => entryKey)).toEqual(keys);
  });

  test("empty rows, titles, notes at the end and rows with only a balance are no lines", () => {
    const csv: CsvMapping = { ...mapping, skip_rows: 2, skip_last_rows: 1 };
    const opening = "15.11.2026;Opening balance;;1.500,00";
    const text = fileOf("Account;1", "", "From;To", header, opening, ...rows, ";;;", "Thank you");
    const { lines, ends, problems } = read(text, csv);
    expect(problems).toEqual([]);
    expect(lines.map(({ place }) => place.line)).toEqual([6, 7]);
    expect(ends[0]).toMatchObject({ opening: 150_000n, lines: 2, fromDay: "2026-11-15" });
  });

  test("rows that are not booked are left out", () => {
    const csv: CsvMapping = {
      ...without("balance"),
      status: { column: "Balance", booked_words: ["Booked"] },
    };
    const text = fileOf(header, "16.11.2026;a;1,00;BOOKED", "16.11.2026;b;2,00;pending");
    expect(read(text, csv).lines.map(({ text: shown }) => shown)).toEqual(["a"]);
  });

  test("each account and currency is a statement of its own", () => {
    const csv: CsvMapping = {
      ...mapping,
      currency: { column: "Currency" },
      account: "Account",
    };
    const text = fileOf(
      `${header};Currency;Account`,
      "16.11.2026;a;1,00;11,00;EUR;A",
      "16.11.2026;b;2,00;22,00;usd;A",
      "17.11.2026;c;3,00;14,00;EUR;A",
      "17.11.2026;d;4,00;44,00;EUR;B",
    );
    const { ends, problems } = read(text, csv);
    expect(problems).toEqual([]);
    expect(ends).toMatchObject([
      { account: "A", currency: "EUR", opening: 1_000n, closing: 1_400n, lines: 2 },
      { account: "A", currency: "USD", opening: 2_000n, closing: 2_200n, lines: 1 },
      { account: "B", currency: "EUR", opening: 4_000n, closing: 4_400n, lines: 1 },
    ]);
  });

  test("cells may hold line breaks, quotes, and zeros that spreadsheets keep", () => {
    const csv: CsvMapping = { ...without("balance"), reference: "Balance" };
    const text = fileOf(
      header,
      '16.11.2026;"two\nlines ""q""";1,00;="0012"',
      '16.11.2026;5" pipe;1,00;x',
    );
    const { lines, problems } = read(text, csv);
    expect(problems).toEqual([]);
    expect(lines).toMatchObject([
      { text: 'two lines "q"', customerReference: "0012", place: { line: 2 } },
      { text: '5" pipe', place: { line: 4 } },
    ]);
  });
});

describe("problems", () => {
  const cases: [string, string, CsvMapping, string[]][] = [
    [
      "all of a file at once",
      fileOf(header, "31.11.2026;a;1.00;x", "16/11/2026;b;;", "16.11.2026;c"),
      mapping,
      [
        'error 2:1 the date (column "Day") must be a date as DD.MM.YYYY, but is "31.11.2026"',
        'error 2:3 the amount (column "Amount") must be an amount such as 1.234,56, but is "1.00"',
        'error 2:4 the balance (column "Balance") must be an amount such as 1.234,56, but is "x"',
        'error 3:1 the date (column "Day") must be a date as DD.MM.YYYY, but is "16/11/2026"',
        "error 4:1 a row must have 4 cells, but has 2",
      ],
    ],
    [
      "an amount that is missing",
      fileOf(header, "16.11.2026;a;;"),
      mapping,
      ['error 2:3 the amount (column "Amount") must be given, but is empty'],
    ],
    [
      "balances that don't follow from the amounts, once for each gap",
      fileOf(header, ...rows, "18.11.2026;x;1,00;9,00", "19.11.2026;x;1,00;10,00"),
      mapping,
      ["error 4:1 the balance must be 2501.50 (the one before and the amount), but is 9.00"],
    ],
    [
      "columns that are missing or there twice",
      fileOf("Day;Text;Text;Balance", "16.11.2026;a;1,00;1,00"),
      mapping,
      [
        'error 1:1 the column "Amount" for amount is missing',
        'error 1:1 the column "Text" for description comes twice: give the number of the column instead',
      ],
    ],
    [
      "numbers of columns that are missing",
      fileOf("16.11.2026;1,00"),
      {
        ...without("balance"),
        has_header: false,
        date: { column: 1, format: "DD.MM.YYYY" },
        amount: { kind: "signed", column: 2 },
        description: [3],
      },
      ["error 1:1 the column 3 for description is missing: there are 2 columns"],
    ],
    [
      "a currency that is none",
      fileOf("Day;Text;Amount;Balance;C", "16.11.2026;a;1,00;1,00;EURO"),
      { ...mapping, currency: { column: "C" } },
      ['error 2:5 the currency (column "C") must be a currency such as EUR, but is "EURO"'],
    ],
    [
      "a debit and a credit on the same line",
      fileOf("Day;Text;Out;In", "16.11.2026;a;1,00;2,00", "16.11.2026;a;0,00;2,00"),
      { ...without("balance"), amount: { kind: "debit_credit", debit: "Out", credit: "In" } },
      ['error 2:4 the credit (column "In") must be empty where there is a debit, but is "2,00"'],
    ],
    [
      "an indicator that is unknown, and an amount with a sign beside one",
      fileOf("Day;Text;Amount;DC", "16.11.2026;a;1,00;X", "16.11.2026;a;-1,00;D"),
      {
        ...without("balance"),
        amount: {
          kind: "indicator",
          column: "Amount",
          indicator: "DC",
          debit_words: ["D"],
          credit_words: ["C"],
        },
      },
      [
        'error 2:4 the indicator (column "DC") must be one of D, C, but is "X"',
        'error 3:3 the amount (column "Amount") must be without a sign, but is "-1,00"',
      ],
    ],
    [
      "an amount that the books can't hold",
      fileOf(header, "16.11.2026;a;90071992547409,92;1,00"),
      mapping,
      [
        'error 2:3 the amount (column "Amount") must be at most 90071992547409.91, but is "…409,92"',
      ],
    ],
    [
      "the wrong order, as a warning",
      fileOf(header, "17.11.2026;a;1,00;1,00", "16.11.2026;b;1,00;2,00"),
      mapping,
      ["warning 2:1 the rows should be oldest first, as the mapping says, but are not"],
    ],
    [
      "a quote that is never closed",
      fileOf(header, '16.11.2026;"a;1,00;1,00'),
      mapping,
      ["error 2:1 A quote is not closed. The rest was not read"],
    ],
    ["a header that is missing", "", mapping, ["error 0:0 the file must have a header row"]],
  ];

  test.each(cases)("%s", (_, text, csv, problems) => {
    expect(read(text, csv).problems.slice(0, problems.length)).toEqual(problems);
  });

  test("account numbers are masked", () => {
    const text = fileOf(header, "16.11.2026;a;DE89370400440532013000;1,00");
    expect(read(text).problems.join()).not.toContain("370400440532013000");
  });
});

describe("amounts", () => {
  const minor = (
    text: string,
    decimal: "." | ",",
    group: CsvMapping["group"],
    currency = "EUR",
  ) => {
    const result = readCsvAmount(text, { decimal, group }, currency);
    return "minor" in result ? result.minor : undefined;
  };

  test.each([
    ["1.234", ",", ".", 123_400n],
    ["1.234", ".", "", undefined],
    ["1.230", ".", "", undefined],
    ["1.2300", ".", "", 123n],
    ["1,234.5", ".", ",", 123_450n],
    ["12,34.50", ".", ",", undefined],
    ["1,23,456.00", ".", ",", 12_345_600n],
    ["1 234,56", ",", " ", 123_456n],
    ["1\u202f234,56", ",", " ", 123_456n],
    ["1\u2019234.56", ".", "'", 123_456n],
    ["-12.50", ".", ",", -1_250n],
    ["12.50-", ".", ",", -1_250n],
    ["\u221212.50", ".", ",", -1_250n],
    ["(12.50)", ".", ",", -1_250n],
    ["12.50 DR", ".", ",", -1_250n],
    ["12.50Cr", ".", ",", 1_250n],
    ["€ 12,50", ",", ".", 1_250n],
    ["12,50 EUR", ",", ".", 1_250n],
    ["+7", ".", ",", 700n],
    [".5", ".", ",", 50n],
    ["--5", ".", ",", undefined],
    ["5..0", ".", ",", undefined],
    ["", ".", ",", undefined],
    ["1e3", ".", ",", undefined],
    ["9999999999999999", ".", ",", undefined],
  ] as const)(
    "%j with decimals after %j and %j between thousands",
    (text, decimal, group, expected) => {
      expect(minor(text, decimal, group)).toBe(expected);
    },
  );

  test("a currency has its own number of decimals", () => {
    expect(minor("1.234", ".", "", "KWD")).toBe(1_234n);
    expect(minor("1,234", ".", ",", "JPY")).toBe(1_234n);
    expect(minor("1.2", ".", "", "JPY")).toBeUndefined();
    expect(writeAmount(-123_456_789n, { decimal: ",", group: "." }, "EUR")).toBe("-1.234.567,89");
  });
});

describe("dates", () => {
  test.each([
    ["16/11/2026", "DD/MM/YYYY", "2026-11-16"],
    ["11/16/2026", "DD/MM/YYYY", undefined],
    ["1/2/2026", "MM/DD/YYYY", "2026-01-02"],
    ["16.11.26", "DD.MM.YY", "2026-11-16"],
    ["20261116", "YYYYMMDD", "2026-11-16"],
    ["2026-11-16T10:11:12Z", "YYYY-MM-DD", "2026-11-16"],
    ["16.11.2026 10:11", "DD.MM.YYYY", "2026-11-16"],
    ["16 Nov 2026", "DD MMM YYYY", "2026-11-16"],
    ["16-MRZ-2026", "DD-MMM-YYYY", "2026-03-16"],
    ["1 août 2026", "DD MMM YYYY", "2026-08-01"],
    ["16. Dez. 2026", "DD. MMM YYYY", "2026-12-16"],
    ["Nov 6, 2026", "MMM DD, YYYY", "2026-11-06"],
    ["16 Foo 2026", "DD MMM YYYY", undefined],
    ["29.02.2026", "DD.MM.YYYY", undefined],
  ])("%s as %s", (text, format, expected) => {
    expect(readCsvDate(text, format)).toBe(expected);
  });

  test.each(["DD.MM", "DD.DD.YYYY", "", "YYYY-MM-DD HH", "MM/MMM/YYYY"])(
    "%j is no format",
    (format) => {
      expect(isDateFormat(format)).toBe(false);
    },
  );
});

test("a mapping that can't be meant is refused", () => {
  const fields = (changes: Partial<CsvMapping>) =>
    csvMappingProblems({ ...mapping, ...changes }).map(({ field }) => field);
  expect(fields({})).toEqual([]);
  expect(fields({ date: { column: "Day", format: "DD.MM" } })).toEqual(["date.format"]);
  expect(fields({ currency: { fixed: "XXQ" } })).toEqual(["currency.fixed"]);
  expect(fields({ group: "," })).toEqual(["group"]);
  expect(fields({ has_header: false })).toEqual(["date"]);
  expect(fields({ balance: "Amount" })).toEqual(["amount"]);
  const indicator = { kind: "indicator", column: "Amount", indicator: "DC" } as const;
  const amount = { ...indicator, debit_words: ["D"], credit_words: ["c", "d"] };
  expect(fields({ amount })).toEqual(["amount"]);
});
