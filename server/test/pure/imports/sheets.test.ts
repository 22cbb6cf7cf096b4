// Files of rows as people make them: what each cell is read as, or what is wrong with it.

import { describe, expect, test } from "vitest";
import { type Row, readRows } from "../../../src/money/imports/import-rows.ts";
import { payoutFormat } from "../../../src/money/imports/payout-file.ts";
import { toPlan } from "../../../src/money/imports/reading-plan.ts";
import { receiverFormat } from "../../../src/money/imports/receiver-file.ts";
import { splitName } from "../../../src/money/imports/whole-name.ts";
import { wordsOf } from "../../../src/money/sheets/columns.ts";
import { habitsOf, readTable, sheetOfTable } from "../../../src/money/sheets/sheet.ts";
import { readCountry } from "../../../src/people/list-files/countries.ts";
import { type Cell, spreadsheet } from "../../support/spreadsheets.ts";

const limits = { bytesMax: 1_000_000, unpackedBytesMax: 5_000_000, rowsMax: 1_000 };

type Told = Parameters<typeof toPlan>[2];

async function read(bytes: Uint8Array, told: Told = {}, format = payoutFormat) {
  const table = await readTable(bytes, new Set(wordsOf(format.fields).keys()), limits);
  const plan = toPlan(table.header, format.fields, told);
  const placeOf = (name: string) => (name in plan.places ? [plan.places[name] as number] : []);
  const columns = { amounts: placeOf("amount"), days: [...placeOf("send_on"), ...placeOf("dob")] };
  const { decimals, order } = habitsOf(table.rows, columns);
  const rows: Row[] = [];
  const reading = { decimal: told.decimal ?? decimals.mark, order };
  for await (const page of readRows(sheetOfTable(table), format, { ...plan, reading })) {
    rows.push(...page.rows);
  }
  return { rows, decimals, header: table.header, notes: table.notes, places: plan.places };
}

const textOf = (lines: string) => Buffer.from(lines);
const sheetOf = (...rows: Cell[][]) => spreadsheet(rows);

/** The amount of each row, or the problem of the amount. */
async function amounts(bytes: Uint8Array, told?: Told) {
  const { rows } = await read(bytes, told);
  return rows.map(({ fields, problems }) => {
    const problem = problems.find(({ column }) => column === "amount");
    return problem ? `${problem.message} (${problem.cure})` : fields.amount;
  });
}

const amountsOf = (currency: string, ...texts: string[]) =>
  textOf(
    `email;amount;currency\n${texts.map((text) => `a@b.co;"${text}";${currency}`).join("\n")}`,
  );

describe("amounts", () => {
  const cases: [string, string, string[], unknown[]][] = [
    ["points", "AUD", ["12.50", "1250"], ["1250", "125000"]],
    ["commas", "EUR", ["12,50", "7"], ["1250", "700"]],
    ["thousands in English", "AUD", ["1,234.56", "1,234"], ["123456", "123400"]],
    ["thousands in German", "EUR", ["1.234,56", "1.234"], ["123456", "123400"]],
    ["thousands in French", "EUR", ["1 234,56", "1\u202f234"], ["123456", "123400"]],
    ["thousands in Swiss", "CHF", ["1'234.50", "1’234.50", "50.–"], ["123450", "123450", "5000"]],
    ["thousands of India", "INR", ["1,23,456.50"], ["12345650"]],
    ["millions without decimals", "EUR", ["1.234.567"], ["123456700"]],
    ["with its currency", "EUR", ["€ 12,50", "12,50 EUR", "EUR 7,00"], ["1250", "1250", "700"]],
    ["yen", "JPY", ["1500", "1,500,000"], ["1500", "1500000"]],
    [
      "three decimals of dinars",
      "KWD",
      ["1.2345", "12.5"],
      [expect.stringContaining("more than 3"), "12500"],
    ],
    ["curly quotes", "AUD", ["“12.50”"], ["1250"]],
  ];
  test.each(cases)("%s", async (_, currency, texts, expected) => {
    expect(await amounts(amountsOf(currency, ...texts))).toEqual(expected);
  });

  test("1.234 alone is never guessed, and is read as the user says", async () => {
    const file = amountsOf("EUR", "1.234", "5");
    expect((await read(file)).decimals).toEqual({ mark: "undecided", example: "1.234" });
    expect(await amounts(file)).toEqual([
      "1.234 can be read in two ways (Say how this file writes decimals)",
      "500",
    ]);
    expect(await amounts(file, { decimal: "," })).toEqual(["123400", "500"]);
    expect(await amounts(file, { decimal: "." })).toEqual([
      "1.234 has more than 2 decimals (Write an amount with at most 2 decimals)",
      "500",
    ]);
  });

  test("a file that writes decimals in two ways is undecided, and each amount counts for itself", async () => {
    expect(await amounts(amountsOf("EUR", "1.234,56", "1,234.56", "1,234"))).toEqual([
      "123456",
      "123456",
      "1,234 can be read in two ways (Say how this file writes decimals)",
    ]);
    expect(await amounts(amountsOf("EUR", "1.234,56", "7,00"), { decimal: "." })).toEqual([
      "1.234,56 is not written like 1,234.56 (Write it like the other amounts, or say how this file writes decimals)",
      "7,00 is not written like 1,234.56 (Write it like the other amounts, or say how this file writes decimals)",
    ]);
  });

  test("refuses what is no amount, another currency, and more decimals than there are", async () => {
    expect(await amounts(amountsOf("AUD", "abc", "€5", "12.505", "-5", "0"))).toEqual([
      "abc is no amount (Write digits, for example 1234.56)",
      "€5 says €, and the currency is AUD (Correct the currency, or write the amount without it)",
      expect.stringContaining("can be read in two ways"),
      expect.stringContaining("Amount is not valid"),
      expect.stringContaining("Amount is not valid"),
    ]);
  });

  test("of a workbook are its numbers, as Excel shows them", async () => {
    const file = sheetOf(
      ["Email", "Amount", "Currency"],
      ["a@b.co", 1234.5, "AUD"],
      ["a@b.co", { raw: "<c><f>0.1+0.2</f><v>0.30000000000000004</v></c>" }, "AUD"],
      ["a@b.co", { value: 1234.567, style: 4 }, "AUD"],
      ["a@b.co", "1,234.50", "AUD"],
      ["a@b.co", { raw: "<c><f>A1*2</f></c>" }, "AUD"],
      ["a@b.co", { raw: '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>' }, "AUD"],
    );
    expect(await amounts(file)).toEqual([
      "123450",
      "30",
      "1234.567 has more than 2 decimals (Write an amount with at most 2 decimals)",
      "123450",
      expect.stringContaining("The result of the formula is not in the file"),
      expect.stringContaining("The formula has no result"),
    ]);
    const { rows } = await read(file);
    expect(rows[2]?.problems[0]).toMatchObject({
      row: 4,
      value: "1234.567",
      suggestion: "1234.57",
    });
    expect(rows[5]?.problems[0]).toMatchObject({ row: 7, value: "#DIV/0!" });
  });
});

describe("columns", () => {
  test.each([
    ["any case", "RECEIVER_ID,Account ID,AMOUNT,Currency"],
    ["semicolons", "receiver_id;account_id;amount;currency"],
    ["tabs", "receiver_id\taccount_id\tamount\tcurrency"],
    ["bars", "receiver_id|account_id|amount|currency"],
    ["a mark of UTF-8", "\ufeffreceiver_id,account_id,amount,currency"],
    ["Excel's line for its separator", "sep=;\nreceiver_id;account_id;amount;currency"],
    ["German names", "Receiver ID;Account-ID;Betrag;Währung"],
    ["French names", "Receiver ID;Account ID;Montant;Devise"],
    ["a title above", "Payroll May;;;\n;;;\nreceiver_id;account_id;amount;currency"],
  ])("are found with %s", async (_, header) => {
    const { places } = await read(textOf(`${header}\n`));
    expect(places).toEqual({ receiver_id: 0, account_id: 1, amount: 2, currency: 3 });
  });

  test("are found in UTF-16, as Excel saves Unicode text", async () => {
    const text = "\ufeffEmail\tAmount\tCurrency\nzoë@b.co\t5\tEUR\n";
    const { rows } = await read(Buffer.from(text, "utf16le"));
    expect(rows[0]?.payee).toEqual({ receiver_email: "zoë@b.co" });
  });

  test("can be chosen, and a field without one has one value for all rows", async () => {
    const file = textOf("Who,How much\na@b.co,5\n");
    const told = { columns: { receiver_email: 0, amount: 1 }, fixed: { currency: "EUR" } };
    const { rows } = await read(file, told);
    expect(rows[0]).toMatchObject({ fields: { amount: "500", currency: "EUR" }, problems: [] });
  });

  test("are those of the last file, by their names", async () => {
    const columns = { who: "receiver_email", "how much": "amount", amount: "-" };
    const header = ["How much", "Currency", "Amount", "WHO"];
    const plan = toPlan(header, payoutFormat.fields, {}, { columns, fixed: {} });
    expect(plan.places).toEqual({ receiver_email: 3, amount: 0, currency: 1 });
  });
});

describe("cells", () => {
  const payout = (header: string, row: string) =>
    read(textOf(`email,amount,currency,${header}\na@b.co,1.00,AUD,${row}\n`));

  test.each([
    ["2026-05-03", "2026-05-03"],
    ["03.05.2026", "2026-05-03"],
    ["2026/5/3", "2026-05-03"],
    ["31/05/2026", "2026-05-31"],
    ["05/31/2026", "2026-05-31"],
    ["3 May 2026", "2026-05-03"],
    ["03/05/2026", "Write 2026-05-03 or 2026-03-05"],
    ["tomorrow", "Write it as YYYY-MM-DD"],
  ])("the day %s is %s", async (given, expected) => {
    const { rows } = await payout("send_on", given);
    expect(rows[0]?.fields.send_on ?? rows[0]?.problems[0]?.cure).toBe(expected);
  });

  test("days of a workbook are days by their format; a bare number is offered as one", async () => {
    const file = sheetOf(
      ["email", "amount", "currency", "Pay date"],
      ["a@b.co", 1, "AUD", { value: 46145, style: 1 }],
      ["a@b.co", 1, "AUD", { value: 46145.5, style: 2 }],
      ["a@b.co", 1, "AUD", 46145],
    );
    const { rows } = await read(file);
    expect(rows.map(({ fields }) => fields.send_on)).toEqual([
      "2026-05-03",
      "2026-05-03",
      undefined,
    ]);
    expect(rows[2]?.problems).toMatchObject([
      { row: 4, column: "send_on", value: "46145", suggestion: "2026-05-03" },
    ]);
  });

  test("of merged cells only the first has the value; the others are offered it", async () => {
    const rows: Cell[][] = [
      ["email", "amount", "currency"],
      ["a@b.co", 1, "AUD"],
      ["", 2, "AUD"],
    ];
    const { rows: found } = await read(spreadsheet(rows, { merged: ["A2:A3"] }));
    expect(found[0]?.problems).toEqual([]);
    expect(found[1]?.problems).toMatchObject([
      {
        row: 3,
        column: "receiver_email",
        message: "The cell is merged with A2",
        suggestion: "a@b.co",
      },
    ]);
  });

  test("a hidden row is a problem, and an edited cell stands for the cell", async () => {
    const rows: Cell[][] = [
      ["email", "amount", "currency"],
      ["a@b.co", 1, "AUD"],
      ["a@b.co", "x", "AUD"],
    ];
    const edits = [{ row: 3, field: "amount", value: "2.50" }];
    const { rows: found } = await read(spreadsheet(rows, { hidden: [2] }), { edits });
    expect(found[0]?.problems).toMatchObject([{ message: "The row is hidden in the spreadsheet" }]);
    expect(found[1]).toMatchObject({ fields: { amount: "250" }, problems: [] });
  });

  test("numbers of accounts keep every digit, or are refused", async () => {
    const { rows } = await read(
      sheetOf(
        ["account number", "amount", "currency"],
        ["00123456", 1, "AUD"],
        [12345678, 1, "AUD"],
        [{ value: 123, style: 3 }, 1, "AUD"],
        [1234567890123456, 1, "AUD"],
      ),
    );
    expect(rows.map(({ payee }) => payee?.account_number)).toEqual([
      "00123456",
      "12345678",
      "00123",
      "1234567890123460",
    ]);
    expect(rows[3]?.problems).toMatchObject([
      { column: "account_number", message: expect.stringContaining("only 15 digits") },
    ]);
    const { rows: short } = await payout("account number", "1.23457E+15");
    expect(short[0]?.problems).toMatchObject([
      { value: "1.23457E+15", message: expect.stringContaining("digits are lost") },
    ]);
  });

  test('texts lose the marks that spreadsheets add: ="0123", an apostrophe, invisible characters', async () => {
    const { rows } = await payout("account number,reference", '"=""0123""","\'=1+1"');
    expect(rows[0]).toMatchObject({
      payee: { account_number: "0123" },
      fields: { reference: "=1+1" },
    });
    const { rows: clean } = await read(textOf("email,amount,currency\n\u200ba@b.co\u00a0,1,AUD\n"));
    expect(clean[0]?.payee).toEqual({ receiver_email: "a@b.co" });
  });

  test("lost zeros of a postcode are offered back, and never assumed", async () => {
    const row = "Ada,Lovelace,ada@b.co,1990-12-10,61,412345678,1 Road,,F,Darwin,NT,800,AUS";
    const header =
      "first_name,last_name,email,dob,dialcode,phone,address,address2,gender,city,state,postcode,country";
    const { rows } = await read(textOf(`${header}\n${row}\n`), {}, receiverFormat);
    expect(rows[0]?.problems).toMatchObject([
      {
        column: "postcode",
        value: "800",
        message: "The first zeros are missing",
        suggestion: "0800",
      },
    ]);
  });

  test("a cell that is too long for its field is refused at once", async () => {
    const { rows } = await read(
      textOf(`email,amount,currency\na@b.co,1${" ".repeat(30_000)}x,AUD\n`),
    );
    expect(rows[0]?.problems).toMatchObject([{ message: "The cell has too many characters" }]);
  });

  test("a currency in small letters is offered in capitals", async () => {
    const { rows } = await read(textOf("email,amount,currency\na@b.co,1,aud\n"));
    expect(rows[0]?.problems).toMatchObject([{ column: "currency", suggestion: "AUD" }]);
  });

  test("a row with fewer cells than the header is a problem; empty cells at its end are not", async () => {
    const { rows } = await read(textOf("email,amount,currency\na@b.co,1,AUD,,\na@b.co,1\n\n"));
    expect(rows.map(({ number, problems }) => [number, problems.length])).toEqual([
      [2, 0],
      [3, 1],
    ]);
  });
});

describe("a file", () => {
  const rows: Cell[][] = [["email", "amount", "currency"]];
  test.each([
    ["with macros", spreadsheet(rows, { parts: { "xl/vbaProject.bin": "x" } }), "macros"],
    [
      "with links",
      spreadsheet(rows, { parts: { "xl/externalLinks/externalLink1.xml": "x" } }),
      "other files",
    ],
    ["of an old Excel", Buffer.from("d0cf11e0a1b11ae1", "hex"), ".xlsx"],
    ["that is a picture", Buffer.from([137, 80, 78, 71, 0, 0, 1]), "no CSV file"],
    ["that is empty", Buffer.from(" \n"), "needs a header row"],
    ["that unpacks to too much", spreadsheet([["a".repeat(6_000_000)]]), "too large when unpacked"],
    [
      "whose cells share a long text",
      spreadsheet([
        ["a"],
        ...Array(30).fill([{ raw: '<c t="s"><v>1</v></c>' }]),
        ["x".repeat(200_000)],
      ]),
      "too large when unpacked",
    ],
    ["with too many rows", textOf(`amount\n${"1\n".repeat(1_001)}`), "more than 1,000 rows"],
    ["with too many rows in Excel", spreadsheet(Array(1_200).fill([1])), "more than 1,"],
    ["that was cut", spreadsheet(rows).subarray(0, 300), "can't be imported"],
  ])("%s is refused", async (_, bytes, reason) => {
    await expect(read(bytes)).rejects.toThrow(reason);
  });

  test("says which sheet is read", async () => {
    const { notes } = await read(spreadsheet(rows, { otherSheet: "Notes" }));
    expect(notes).toEqual(["Only the first sheet, “List”, is read. Not read: Notes."]);
  });
});

test.each([
  ["Jane Mary Citizen", { first_name: "Jane Mary", last_name: "Citizen" }],
  ["Anna van der Berg", { first_name: "Anna", last_name: "van der Berg" }],
  ["Berg, Anna", { first_name: "Anna", last_name: "Berg" }],
  ["Madonna", undefined],
  ["Acme Trading Pty. Ltd.", undefined],
])("%s is offered as first and last name", (whole, parts) => {
  expect(splitName(whole)).toEqual(parts);
});

test.each([
  ["Australia", { code: "AUS" }],
  ["AUSTRALIA ", { code: "AUS" }],
  ["aus", { code: "AUS" }],
  ["AU", { code: "AUS" }],
  ["United Kingdom", { code: "GBR" }],
  // What only publishers of lists write is offered, and so is a name with typing errors.
  ["UK", { nearest: "United Kingdom" }],
  ["Yugoslavia", { nearest: "Serbia" }],
  ["Austrlia", { nearest: "Australia" }],
  ["New Zeland", { nearest: "New Zealand" }],
  ["Atlantis", { nearest: undefined }],
])("the country %s", (text, read) => {
  expect(readCountry(text.trim())).toEqual(read);
});
