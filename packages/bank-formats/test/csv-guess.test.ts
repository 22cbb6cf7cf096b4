// Mappings that are proposed for CSV statements: what the values prove is right, and what is open is said.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { guessCsvMapping } from "../src/csv-statement/guess.ts";
import type { CsvMapping } from "../src/csv-statement/mapping.ts";
import { looksLikeCsv, previewCsv } from "../src/csv-statement/preview.ts";
import { isValid } from "../src/report.ts";
import { anyStatement } from "./csv-statements.ts";

function guess(text: string, currency = "EUR"): CsvMapping {
  const { mapping } = guessCsvMapping(text, { currency });
  if (!mapping) throw new Error("no mapping was proposed");
  expect(previewCsv(text, mapping, 10).report.problems).toEqual([]);
  return mapping;
}

const confidenceOf = (text: string, field: string, currency = "EUR") =>
  guessCsvMapping(text, { currency }).notes.find((note) => note.field === field)?.confidence;

const at = (mapping: unknown, path: string) =>
  path
    .split(".")
    .reduce<unknown>((part, name) => (part as Record<string, unknown>)?.[name], mapping);

test("what is called proven is always right", () => {
  fc.assert(
    fc.property(
      anyStatement.filter(({ mapping }) => mapping.has_header),
      ({ text, mapping, currency }) => {
        const { mapping: proposed, notes } = guessCsvMapping(text, { currency });
        for (const { field, confidence } of notes) {
          if (confidence === "proven")
            expect([field, at(proposed, field)]).toEqual([field, at(mapping, field)]);
        }
        expect(at(proposed, "date.column")).toEqual(mapping.date.column);
        expect(proposed?.description).toEqual(mapping.description);
        expect(proposed?.skip_rows).toBe(mapping.skip_rows);
      },
    ),
    { numRuns: 300 },
  );
});

test("a German file: semicolons, commas before decimals, newest first", () => {
  const text = `"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Beguenstigter/Zahlungspflichtiger";"Kontonummer";"BLZ";"Betrag";"Waehrung"
"DE12345678901234567890";"15.11.24";"16.11.24";"GUTSCHRIFT";"Rechnung 17";"Max Muster";"DE89370400440532013000";"COBADEFF";"1.234,56";"EUR"
"DE12345678901234567890";"14.11.24";"14.11.24";"LASTSCHRIFT";"Strom";"Stadtwerke";"DE02120300000000202051";"BYLADEM1";"-89,00";"EUR"
`;
  expect(guess(text)).toEqual({
    delimiter: ";",
    skip_rows: 0,
    skip_last_rows: 0,
    has_header: true,
    date: { column: "Buchungstag", format: "DD.MM.YY" },
    value_date: { column: "Valutadatum", format: "DD.MM.YY" },
    amount: { kind: "signed", column: "Betrag" },
    decimal: ",",
    group: ".",
    currency: { column: "Waehrung" },
    description: ["Buchungstext", "Verwendungszweck"],
    party_account: "Kontonummer",
    party_name: "Beguenstigter/Zahlungspflichtiger",
    account: "Auftragskonto",
    order: "newest_first",
  });
});

test("a Dutch file: an amount with Af or Bij, and a currency in the header", () => {
  const text = `"Datum","Naam / Omschrijving","Rekening","Tegenrekening","Code","Af Bij","Bedrag (EUR)","Mutatiesoort","Mededelingen"
"20241115","A. Jansen","NL20INGB0001234567","NL91ABNA0417164300","OV","Bij","12,50","Overschrijving","Factuur 1"
"20241114","Albert Heijn","NL20INGB0001234567","","BA","Af","7,25","Betaalautomaat","Pas 001"
`;
  expect(guess(text, "USD")).toMatchObject({
    date: { column: "Datum", format: "YYYYMMDD" },
    amount: {
      kind: "indicator",
      column: "Bedrag (EUR)",
      indicator: "Af Bij",
      debit_words: ["Af"],
      credit_words: ["Bij"],
    },
    currency: { fixed: "EUR" },
    party_account: "Tegenrekening",
    account: "Rekening",
  });
});

test("a Swiss file: titles above, notes below, debits below zero in their own column", () => {
  const text = `Datum von:;2024-01-01
Konto:;CH2909000000250094239

Buchungsdatum;Avisierungstext;Gutschrift in CHF;Lastschrift in CHF;Valuta;Saldo in CHF
2024-11-15;GUTSCHRIFT A;1'500.00;;2024-11-15;2'000.00
2024-11-14;KAUF;;-20.50;2024-11-14;500.00
2024-11-13;KAUF;;-30.00;2024-11-13;520.50

Disclaimer:
Keine Gewähr
`;
  expect(guess(text)).toMatchObject({
    skip_rows: 2,
    skip_last_rows: 2,
    date: { column: "Buchungsdatum", format: "YYYY-MM-DD" },
    value_date: { column: "Valuta" },
    amount: {
      kind: "debit_credit",
      debit: "Lastschrift in CHF",
      credit: "Gutschrift in CHF",
      debits_negative: true,
    },
    group: "'",
    currency: { fixed: "CHF" },
    balance: "Saldo in CHF",
    order: "newest_first",
  });
  expect(confidenceOf(text, "balance")).toBe("proven");
  expect(confidenceOf(text, "skip_last_rows")).toBe("unsure");
});

test("a French file: spaces between thousands", () => {
  const text =
    "Date;Libellé;Montant;Devise\n05/02/2024;VIR RECU;1 250,00;EUR\n13/02/2024;PRLV;-45,10;EUR\n";
  expect(guess(text)).toMatchObject({
    date: { format: "DD/MM/YYYY" },
    group: " ",
    decimal: ",",
    description: ["Libellé"],
    order: "oldest_first",
  });
});

test("an Australian file without a header: columns by number", () => {
  const text = '15/11/2024,-12.50,"EFTPOS SHOP"\n14/11/2024,"1,000.00","PAYMENT FROM X"\n';
  expect(guess(text, "AUD")).toMatchObject({
    has_header: false,
    date: { column: 1, format: "DD/MM/YYYY" },
    amount: { kind: "signed", column: 2 },
    currency: { fixed: "AUD" },
    description: [3],
    order: "newest_first",
  });
});

test("an Indian file: withdrawals and deposits, and lakhs", () => {
  const text = `Date,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing Balance
01/11/24,UPI-X,0000431,01/11/24,100.00,,"1,23,456.00"
02/11/24,NEFT,0000432,02/11/24,,"5,000.00","1,28,456.00"
13/11/24,ATM,0000433,13/11/24,2000.00,,"1,26,456.00"
`;
  expect(guess(text, "INR")).toMatchObject({
    date: { column: "Date", format: "DD/MM/YY" },
    amount: { kind: "debit_credit", debit: "Withdrawal Amt.", credit: "Deposit Amt." },
    balance: "Closing Balance",
  });
});

test("an American file with an opening balance, and rows that are not posted", () => {
  const text = `Posting Date,Description,Amount,Status,Balance
11/13/2024,Opening,,Posted,505.00
11/13/2024,FEE,-5.00,Posted,500.00
11/14/2024,ACH CREDIT,500.00,Posted,1000.00
11/15/2024,TRANSFER,-100.00,Posted,900.00
11/16/2024,CARD,-7.00,Pending,
`;
  expect(guess(text, "USD")).toMatchObject({
    date: { column: "Posting Date", format: "MM/DD/YYYY" },
    amount: { kind: "signed", column: "Amount" },
    balance: "Balance",
    status: { column: "Status", booked_words: ["Posted"] },
    order: "oldest_first",
  });
});

describe("what can't be decided is said", () => {
  const ambiguous = "Date,Details,Amount\n01/02/2024,a,10\n03/02/2024,b,20\n02/03/2024,c,30\n";

  test("day and month, the sign, and the mark before decimals", () => {
    expect(confidenceOf("Date,Details,Amount\n01/02/2024,a,10\n", "date.format")).toBe("unsure");
    expect(confidenceOf(ambiguous, "amount")).toBe("unsure");
    expect(confidenceOf(ambiguous, "decimal")).toBe("unsure");
    expect(confidenceOf(ambiguous, "group")).toBe("unsure");
  });

  test("dates that follow each other in one order only make it likely", () => {
    expect(confidenceOf(ambiguous, "date.format")).toBe("likely");
    expect(guess(ambiguous).date.format).toBe("DD/MM/YYYY");
  });

  test("where nothing shows it, the United States write the month first", () => {
    const text = "Date,Details,Amount\n01/02/2024,a,10.00\n";
    expect(guess(text, "USD").date.format).toBe("MM/DD/YYYY");
    expect(guess(text, "AUD").date.format).toBe("DD/MM/YYYY");
  });

  test("balances that don't follow from the amounts are no balances", () => {
    const text =
      "Date,Details,Amount,Balance\n2024-01-01,a,1.00,5.00\n2024-01-02,b,1.00,9.00\n2024-01-03,c,-1.00,2.00\n";
    expect(guess(text).balance).toBeUndefined();
  });

  test("equal amounts on one day prove neither order nor sign", () => {
    const text =
      "Date,Details,Amount,Balance\n2024-01-01,a,1.00,5.00\n2024-01-01,b,1.00,6.00\n2024-01-01,c,1.00,7.00\n";
    expect(confidenceOf(text, "amount")).toBe("likely");
    expect(confidenceOf(text, "order")).toBe("unsure");
  });

  test("amounts on one side only don't show how the other side is written", () => {
    const text =
      "Date,Details,Amount,Balance\n2024-01-01,a,1.00,5.00\n2024-01-02,b,2.00,7.00\n2024-01-03,c,3.00,10.00\n";
    expect(confidenceOf(text, "amount")).toBe("likely");
    expect(confidenceOf(text, "balance")).toBe("proven");
  });

  test.each(["", "hello\n", "a,b\nc,d\n", "Date,Text\n2024-01-01,x\n"])(
    "no mapping for %j",
    (text) => {
      expect(guessCsvMapping(text).mapping).toBeUndefined();
      expect(guessCsvMapping(text).notes.length).toBeGreaterThan(0);
    },
  );
});

test("currencies with three decimals are read by them, also without a header", () => {
  const text = "2024-01-01,rent,-1.250\n2024-01-02,salary,900.000\n";
  expect(guess(text, "KWD")).toMatchObject({ amount: { kind: "signed", column: 3 }, decimal: "." });
});

test("only texts with dates and amounts look like CSV", () => {
  expect(looksLikeCsv("Date;Amount\n01.02.2024;1,00\n")).toBe(true);
  expect(looksLikeCsv("hello, world\n")).toBe(false);
  expect(looksLikeCsv("")).toBe(false);
});

test("a preview shows the first lines, and all problems", () => {
  const text = "Date,Details,Amount\n2024-01-01,a,1.00\n2024-01-02,b,-2.00\n2024-01-03,c,x\n";
  const mapping = guess("Date,Details,Amount\n2024-01-01,a,1.00\n2024-01-02,b,-2.00\n");
  const { columns, lines, statements, report } = previewCsv(text, mapping, 1);
  expect(columns).toEqual(["Date", "Details", "Amount"]);
  expect(lines).toMatchObject([{ day: "2024-01-01", amount: 100n }]);
  expect(statements).toMatchObject([{ lines: 2 }]);
  expect(isValid(report)).toBe(false);
});
