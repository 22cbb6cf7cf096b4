// Every problem of pain.001 that the reader reports, with its place: what a schema sees, and what it misses.

import { describe, expect, test } from "vitest";
import { change, checkMessage, problemsIn } from "./iso-problems.ts";
import { readGolden } from "./pain-001-examples.ts";

const aud = readGolden("pain-001-03-aud");
const eur = readGolden("pain-001-09-eur");
const id = "0193a5f27c1e7d3a9b0c5e2f4a6b8c1d";

type Case = [name: string, part: string | RegExp, replacement: string, problem: string];

/** Each also fails its schema, except the sums. */
const schemaCases: Case[] = [
  [
    "a MsgId of 36 characters",
    /<MsgId>.*?</,
    `<MsgId>${"x".repeat(36)}<`,
    "error 5:7 expected at most 35 characters in MsgId, found 36",
  ],
  [
    "an EndToEndId with dashes",
    `<EndToEndId>${id}`,
    "<EndToEndId>0193a5f2-7c1e-7d3a-9b0c-5e2f4a6b8c1d",
    "error 23:67 expected at most 35 characters in EndToEndId, found 36",
  ],
  [
    "six decimals",
    '"AUD">100.00<',
    '"AUD">100.000000<',
    "error 24:14 expected at most 2 decimals for AUD in InstdAmt, found 6",
  ],
  ["no debtor", /<Dbtr>.*<\/Dbtr>/, "", "error 11:5 expected Dbtr in PmtInf, found none"],
  [
    "BtchBookg before PmtMtd",
    /(<PmtMtd>.*<\/PmtMtd>)(\s*)(<BtchBookg>.*<\/BtchBookg>)/,
    "$3$2$1",
    "error 14:7 expected PmtMtd before BtchBookg, found it after",
  ],
  [
    "a date inside an element",
    /<ReqdExctnDt>(.*)<\/ReqdExctnDt>/,
    "<ReqdExctnDt><Dt>$1</Dt></ReqdExctnDt>",
    "error 18:7 expected a date such as 2026-11-16 in ReqdExctnDt, found none",
  ],
  [
    "a wrong count",
    "<NbOfTxs>2",
    "<NbOfTxs>3",
    "error 7:7 expected 2 in NbOfTxs (the transfers), found 3",
  ],
  [
    "a wrong sum",
    "<CtrlSum>125.50",
    "<CtrlSum>125.51",
    "error 8:7 expected 125.50 in CtrlSum (the transfers), found 125.51",
  ],
  [
    "a wrong sum of a block",
    /(<BtchBookg>[\s\S]*?<CtrlSum>)125.50/,
    "$1125.5x",
    "error 16:7 expected 125.50 in CtrlSum (the transfers), found 125.5x",
  ],
  [
    "a header without a party",
    /<InitgPty>.*<\/InitgPty>/,
    "",
    "error 4:5 expected InitgPty in GrpHdr, found none",
  ],
  [
    "a creation time that is none",
    "2026-11-16T03:00:00Z",
    "yesterday",
    "error 6:7 expected a date and time in CreDtTm, found none",
  ],
  [
    "another payment method",
    "<PmtMtd>TRF",
    "<PmtMtd>DD",
    "error 13:7 expected TRF, TRA or CHK in PmtMtd, found another",
  ],
  [
    "batch booking that is neither true nor false",
    "<BtchBookg>true",
    "<BtchBookg>yes",
    "error 14:7 expected true or false in BtchBookg, found another",
  ],
  [
    "no EndToEndId",
    `<EndToEndId>${id}</EndToEndId>`,
    "",
    "error 23:9 expected EndToEndId in PmtId, found none",
  ],
  [
    "two names",
    "<Nm>Zoe Lukasz</Nm>",
    "<Nm>Zoe</Nm><Nm>Lukasz</Nm>",
    "error 26:27 expected one Nm, found another",
  ],
  [
    "no amount in Amt",
    '<InstdAmt Ccy="AUD">100.00</InstdAmt>',
    "",
    "error 22:7 expected an amount (InstdAmt) in Amt, found none",
  ],
  [
    "no currency",
    '<InstdAmt Ccy="AUD">100.00',
    "<InstdAmt>100.00",
    "error 24:14 expected a currency (Ccy) of three letters at InstdAmt, found none",
  ],
];

/** The schema accepts all of these. */
const ownCases: Case[] = [
  [
    "characters that SEPA lacks",
    "<Nm>Jurgen Gross",
    "<Nm>Jürgen Groß",
    'error 26:15 expected EPC Latin characters in Nm for SEPA, found "ü" (U+00FC)',
  ],
  [
    "characters that SEPA lacks, in the header",
    "<InitgPty><Nm>Acme",
    "<InitgPty><Nm>Ácme",
    'error 9:17 expected EPC Latin characters in Nm for SEPA, found "Á" (U+00C1)',
  ],
  [
    "a name of 71 characters",
    "<Nm>Jurgen Gross",
    `<Nm>${"x".repeat(71)}`,
    "error 26:15 expected at most 70 characters in Nm for SEPA, found 71",
  ],
  [
    "an unstructured address",
    /<PstlAdr><StrtNm>Beispielgasse.*<\/PstlAdr>/,
    "<PstlAdr><AdrLine>Beispielgasse 2</AdrLine><AdrLine>8001 Zurich</AdrLine></PstlAdr>",
    "error 35:38 expected a town (TwnNm) and a country (Ctry), found lines only",
  ],
  [
    "three lines beside a town and a country",
    "<Ctry>CH</Ctry>",
    "<Ctry>CH</Ctry><AdrLine>a</AdrLine><AdrLine>b</AdrLine><AdrLine>c</AdrLine>",
    "error 35:38 expected at most 2 AdrLine beside TwnNm and Ctry, found 3",
  ],
  [
    "an address without a town",
    "<TwnNm>Zurich</TwnNm>",
    "",
    "warning 35:38 expected a town (TwnNm) and a country (Ctry), found not both",
  ],
  [
    "a country of three letters",
    "<Ctry>CH<",
    "<Ctry>CHE<",
    "error 35:119 expected a country of two letters, found another",
  ],
  [
    "an IBAN whose check digits are wrong",
    "DE89370400440532013000",
    "DE89370400440532013001",
    'warning 27:23 expected an IBAN with right check digits, found one that ends in "001"',
  ],
  [
    "an IBAN that is none",
    "DE89370400440532013000",
    "DE8-370400440532013000",
    'error 27:23 expected an IBAN, found one that ends in "000"',
  ],
  [
    "a BIC that is none",
    "POFICHBEXXX",
    "POFICHB",
    "error 34:30 expected a BIC of 8 or 11 characters, found another text",
  ],
  [
    "a BIC of no country",
    "POFICHBEXXX",
    "POFIQQBEXXX",
    "warning 34:30 expected a BIC that names a country, found another",
  ],
  [
    "a UETR of version 7",
    "f92b5326-7615-412f",
    "f92b5326-7615-712f",
    "error 24:124 expected a version 4 UUID in UETR, found another text",
  ],
  [
    "the same EndToEndId twice",
    "<EndToEndId>0193a5f27c1e7d3a9b0c5e2f4a6b8c2d",
    `<EndToEndId>${id}`,
    "warning 31:67 expected another EndToEndId for each payment, found that of line 24",
  ],
  [
    "another currency than EUR",
    'Ccy="EUR">100.00',
    'Ccy="USD">100.00',
    "error 25:14 expected EUR for SEPA, found USD",
  ],
  [
    "no account of the receiver",
    "<CdtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></CdtrAcct>",
    "",
    "error 23:7 expected the receiver's account (CdtrAcct), found none",
  ],
  [
    "a mis-cased currency attribute",
    'Ccy="EUR">100.00',
    'ccy="EUR">100.00',
    'warning 25:14 expected Ccy="EUR" at InstdAmt, found it spelt another way',
  ],
  [
    "a currency that does not exist",
    'Ccy="EUR">100.00',
    'Ccy="XXE">100.00',
    "error 25:14 expected a currency of ISO 4217 in InstdAmt, found XXE",
  ],
  [
    "another namespace",
    /urn:iso[^"]*/,
    "urn:example",
    "warning 2:1 expected a namespace of pain.001 at Document, found none",
  ],
];

describe("what a schema sees too", () => {
  test.each(schemaCases)("%s", (_, part, replacement, problem) => {
    const file = change(aud, part, replacement);
    expect(problemsIn(file)).toContain(problem);
    expect(checkMessage(file).valid).toBe(false);
  });
});

describe("what a schema misses", () => {
  test.each(ownCases)("%s", (_, part, replacement, problem) => {
    const file = change(eur, part, replacement);
    expect(problemsIn(file)).toContain(problem);
    expect(checkMessage(file).valid).toBe(
      !problemsIn(file).some((line) => line.startsWith("error")),
    );
  });

  test("a clearing code that has no six digits", () => {
    const file = change(aud, "<MmbId>083047", "<MmbId>83047");
    expect(problemsIn(file)).toEqual([
      "error 25:78 expected 6 digits in MmbId for AUBSB, found 5 characters",
    ]);
  });

  test("amounts of zero, below zero and above what SEPA carries", () => {
    const amount = (text: string) => change(eur, ">100.00<", `>${text}<`);
    expect(problemsIn(amount("0.00"))).toContain(
      "error 25:14 expected an amount above zero, found 0",
    );
    expect(problemsIn(amount("-1"))).toContain(
      'error 25:14 expected an amount such as 12.34 in InstdAmt, found "-1"',
    );
    expect(problemsIn(amount("1000000000.00"))).toContain(
      "error 25:14 expected at most 999999999.99 EUR for SEPA, found more",
    );
  });

  test("currencies without decimals", () => {
    const yen = aud.replaceAll('Ccy="AUD"', 'Ccy="JPY"');
    expect(problemsIn(yen)).toContain(
      "error 24:14 expected at most 0 decimals for JPY in InstdAmt, found 2",
    );
  });
});

test("several currencies are summed apart", () => {
  const { credit, debit, totals } = checkMessage(change(aud, 'Ccy="AUD">25.50', 'Ccy="JPY">2550'));
  expect({ credit, debit }).toEqual({ credit: null, debit: null });
  expect(totals).toEqual({ AUD: { credit: 10000, debit: 0 }, JPY: { credit: 2550, debit: 0 } });
});

test("no message shows an account number", () => {
  const file = eur
    .replaceAll("</IBAN>", "!</IBAN>")
    .replaceAll('EUR">', 'EUR">9300762011623852957');
  const text = JSON.stringify(checkMessage(file).problems);
  expect(text).toContain("expected an IBAN");
  for (const hidden of ["37040044", "0076201162385", "93115212"])
    expect(text).not.toContain(hidden);
});
