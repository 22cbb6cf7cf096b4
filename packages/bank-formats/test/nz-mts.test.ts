// The comma-separated files of BNZ, Kiwibank and ANZ.

import { describe, expect, test } from "vitest";
import { bnzProfile } from "../src/nz/mts-layouts.ts";
import { readMts } from "../src/nz/mts-read.ts";
import { anzFormat, bnzFormat, type MtsSettings } from "../src/nz/mts-write.ts";
import {
  checkText,
  expectNeverThrows,
  expectReadable,
  nzPayment,
  otherAccount,
  problemsIn,
} from "./nz-support.ts";
import { writeNewZealandAgain } from "./nz-write-again.ts";
import { writeFile } from "./payments.ts";

const settings: MtsSettings = {
  accountNumber: "010902006838900",
  ourName: "Harbour Café Ltd",
  showsEachPayment: false,
};

const payments = [
  nzPayment(),
  nzPayment({ accountNumber: otherAccount, amount: 204_250n, payeeName: "Hēmi, Walker" }),
];

const header = "1,,,,010902006838900,7,261117,261116,";
const first = "2,010902006838900,50,165700,Kiri Tane,PO-0001,,,,Harbour Cafe Ltd,,PO-0001,";
const second = "2,0865231954512001,50,204250,Hemi Walker,PO-0001,,,,Harbour Cafe Ltd,,PO-0001,";
const trailer = "3,369950,2,74252022901";
const bnz = [header, first, second, trailer];
const anzHeader = "1,,,,,,20261117,20261116,";
const anz = [anzHeader, first, second, trailer];
const one = "3,165700,1,09020068389";

const join = (lines: string[]) => lines.map((line) => `${line}\r\n`).join("");

describe("BNZ and Kiwibank", () => {
  test("credits are written with a zero-filled hash total", () => {
    expect(writeFile(bnzFormat, settings, payments)).toBe(join(bnz));
    expect(writeFile(bnzFormat, settings, payments.slice(0, 1))).toBe(join([header, first, one]));
  });

  test("BNZ shows each payment on our statement where the header says so", () => {
    const file = writeFile(bnzFormat, { ...settings, showsEachPayment: true }, payments);
    expect(file).toMatch(/^1,,,,010902006838900,7,261117,261116,I\r\n/);
  });

  test("a file with every field is read, and written again byte for byte", () => {
    const lines = [
      "1,,,,0201000555666000,7,261014,261014,",
      "2,1231910654321001,52,165700,Kiri Tane,2026-10-14,PAYRUN-1,,Wages,Harbour Cafe Ltd,PAYRUN-1,2026-10-14,Wages",
      "2,0102420123456000,52,204250,Hemi Walker,2026-10-14,PAYRUN-1,,Wages,Harbour Cafe Ltd,PAYRUN-1,2026-10-14,Wages",
      "3,369950,2,34330777777",
    ];
    expect(checkText(join(lines))).toMatchObject({
      format: "nz-bnz",
      valid: true,
      count: 2,
      credit: 369_950,
      debit: 0,
    });
    expect(writeNewZealandAgain(join(lines))).toEqual(lines);
    const [header, payment, , trailer] = [...readMts(join(lines), bnzProfile)];
    expect(header).toEqual({
      kind: "header",
      line: 1,
      fieldCount: 9,
      ourAccount: "0201000555666000",
      ourName: "",
      dueDate: "2026-10-14",
      dueDateOrder: "YYMMDD",
      createdDate: "2026-10-14",
      other: {
        authorisation: "",
        batchNumber: "",
        batchSequence: "",
        batchType: "7",
        indicator: "",
      },
    });
    expect(payment).toEqual({
      kind: "payment",
      line: 2,
      fieldCount: 13,
      account: "1231910654321001",
      transactionCode: "52",
      direction: "credit",
      amount: 165_700n,
      payeeName: "Kiri Tane",
      payeeParticulars: "Wages",
      payeeCode: "PAYRUN-1",
      payeeReference: "2026-10-14",
      ourName: "Harbour Cafe Ltd",
      ourParticulars: "Wages",
      ourCode: "PAYRUN-1",
      ourReference: "2026-10-14",
      other: { payeeAlphaReference: "" },
    });
    expect(trailer).toMatchObject({ kind: "trailer", credit: 369_950n, count: 2 });
  });

  test("empty fields that are left out at the end of a record stay out when it is written again", () => {
    const lines = [header.slice(0, -1), first.slice(0, -1), `${one},`];
    expect(problemsIn(join(lines))).toEqual([]);
    expect(writeNewZealandAgain(join(lines))).toEqual(lines);
  });

  test("direct debits are read as debits, and written again", () => {
    const lines = [
      "1,3899969,,,010902006838900,6,261117,261116,",
      first.replace(",50,", ",00,"),
      one,
    ];
    expect(checkText(join(lines))).toMatchObject({
      problems: [],
      count: 1,
      credit: 0,
      debit: 165_700,
    });
    expect(writeNewZealandAgain(join(lines))).toEqual(lines);
  });

  test("the reader finds every file of the writer valid", () => {
    expectReadable(bnzFormat, settings, "nz-bnz");
  });
});

describe("ANZ", () => {
  test("credits are written without our account, which ANZ takes from its screen", () => {
    expect(writeFile(anzFormat, settings, payments)).toBe(join(anz));
    const end = join([anzHeader, first, "3,165700,1,9020068389"]);
    expect(writeFile(anzFormat, settings, payments.slice(0, 1))).toBe(end);
  });

  test("ANZ's files are told from BNZ's by the year, or by what the header leaves out", () => {
    expect(checkText(join(anz))).toMatchObject({ format: "nz-anz", problems: [], count: 2 });
    expect(checkText(join(["1,,,,,,,", first, one]))).toMatchObject({
      format: "nz-anz",
      problems: [],
    });
    expect(checkText(join(["1,,,,010902006838900,7,,,", first, one])).format).toBe("nz-bnz");
    expect(checkText(join([first, one])).format).toBe("nz-bnz");
  });

  test("names have 32 characters, and accounts may have 17 digits", () => {
    const long = nzPayment({ payeeName: "Te Whare Wānanga o Ōtepoti me Ōamaru" });
    expect(writeFile(anzFormat, settings, [long])).toContain(",Te Whare Wananga o Otepoti me Oa,");
    const lines = [anzHeader, first.replace("010902006838900", "01090200068389000"), one];
    expect(problemsIn(join(lines))).toEqual([]);
  });

  test("the reader finds every file of the writer valid", () => {
    expectReadable(anzFormat, settings, "nz-anz");
  });
});

describe("refused payments", () => {
  const amounts = "This format carries amounts up to 9,999,999,999.99 NZD.";
  const accounts = "An account number in New Zealand has 15 or 16 digits.";
  test.each([
    ["currency", { currency: "AUD" }, "This format carries NZD only."],
    ["country", { country: "AUS" }, "This format reaches accounts in New Zealand only."],
    ["amount", { amount: 0n }, amounts],
    ["amount", { amount: 1_000_000_000_000n }, amounts],
    ["accountNumber", { accountNumber: "12345" }, accounts],
    ["accountNumber", { accountNumber: "01090200068389000" }, accounts],
    [
      "payeeName",
      { payeeName: '",' },
      "Nothing of the name can be written in the characters of this format.",
    ],
    [
      "statementReference",
      { statementReference: "\u0000" },
      "Nothing of the reference can be written in the characters of this format.",
    ],
  ])("for the %s, case %#", (field, changes, message) => {
    expect(bnzFormat.problemsOf(nzPayment(changes), settings)).toEqual([{ field, message }]);
  });

  test("ANZ carries less in one payment", () => {
    const problems = anzFormat.problemsOf(nzPayment({ amount: 10_000_000_000n }), settings);
    expect(problems).toEqual([
      { field: "amount", message: "This format carries amounts up to 99,999,999.99 NZD." },
    ]);
  });
});

describe("problems", () => {
  test.each<[string, string[], string[]]>([
    [
      "wrong totals",
      [header, first, second, "3,369951,3,74252022902"],
      [
        "error 4:3 the total amount must be 3699.50, but is 3699.51",
        "error 4:10 the number of payments must be 2, but is 3",
        "error 4:12 the hash total must be 74252022901, but is 74252022902",
      ],
    ],
    [
      "wrong hash total of one payment",
      [header, first, "3,165700,1,09020068388"],
      ['error 3:12 the hash total must be that of the payment\'s account, but is "…388"'],
    ],
    [
      "hash total over bases of eight digits",
      [header, first, second, "3,369950,2,42502022901"],
      [
        "warning 4:12 the hash total should be 74252022901, but is 42502022901, over bases of eight digits",
      ],
    ],
    [
      "hash total without zeros",
      [header, first, "3,165700,1,9020068389"],
      ['warning 3:12 the hash total should be 11 digits, with zeros before it, but is "…389"'],
    ],
    [
      "trailer without numbers",
      [header, first, "3,x,,"],
      [
        'error 3:3 the total amount must be digits, at most 20, but is "x"',
        "error 3:5 the number of payments must be digits, at most 6, but is empty",
        "error 3:6 the hash total must be digits, at most 11, but is empty",
      ],
    ],
    [
      "broken header",
      ["1,,,,12345,9,261131,,", first, one],
      [
        'error 1:6 the account number must be 15 or 16 digits, but is "…345"',
        'error 1:12 the batch type must be 7 for credits or 6 for debits, but is "9"',
        'error 1:14 the due date must be a date as YYMMDD, but is "261131"',
        "warning 1:21 the creation date should be given, but is empty",
        'error 2:19 the transaction code must be that of a batch of type "9", but is "50"',
      ],
    ],
    [
      "wrong check digits",
      [header, first.replace("6838900", "6838800"), "3,165700,1,09020068388"],
      ["warning 2:3 the check digits of the account number that ends in 800 are wrong"],
    ],
    [
      "amounts that are none",
      [
        header,
        first.replace("165700", "0"),
        second.replace("204250", "20.50"),
        "3,0,2,74252022901",
      ],
      [
        "error 2:22 the amount must be above zero, but is 0",
        'error 3:23 the amount must be digits, at most 12, but is "20.50"',
      ],
    ],
    [
      "missing name and unknown codes",
      [
        header,
        first.replace("Kiri Tane", "").replace(",50,", ",51,"),
        second.replace(",50,", ",x,"),
        trailer,
      ],
      [
        'warning 2:19 the transaction code should be 50, 52 or 00, but is "51"',
        "error 2:29 the payee's name must be given, but is empty",
        'error 3:20 the transaction code must be 50, 52 or 00, but is "x"',
      ],
    ],
    [
      "debit among credits",
      [header, first.replace(",50,", ",00,"), one],
      ['error 2:19 the transaction code must be that of a batch of type "7", but is "00"'],
    ],
    [
      "fields that are too long or too many",
      [header, `${first.replace("Kiri Tane", "Kiri Tane of Ngaruawahia")},,more`, one],
      [
        "error 2:92 a record must have 13 fields, but has 15",
        "error 2:29 the payee's name must have at most 20 characters, but has 24",
      ],
    ],
    [
      "characters",
      [header, first.replace("Kiri", "Kīri"), second.replace("Hemi", '"Hemi"'), trailer],
      [
        "error 2:30 the payee's name can't hold \"ī\" (U+012B)",
        'warning 3:30 the payee\'s name can\'t hold """ (U+0022)',
      ],
    ],
    [
      "no header",
      [first, one],
      ["error 1:1 a header must come before the first payment, but is missing"],
    ],
    ["no trailer", [header, first], ["error 2:1 a trailer must end the file, but is missing"]],
    [
      "no payments",
      [header, "3,0,0,00000000000"],
      ["error 2:1 a payment must come before the trailer, but there is none"],
    ],
    [
      "two headers",
      [header, header, first, one],
      ["error 2:1 a file must have one header only, but this is another"],
    ],
    [
      "two trailers",
      [header, first, one, one],
      ["error 4:1 a file must have one trailer only, but this is another"],
    ],
    [
      "payment after the trailer",
      [header, first, one, first],
      ["error 4:1 the trailer must be the last record, but a payment follows it"],
    ],
    [
      "unknown record",
      [header, first, "4,1", one],
      ['error 3:1 the record type must be 1, 2 or 3, but is "4"'],
    ],
    [
      "empty line",
      [header, "", first, one],
      ["error 2:1 a record must be here, but the line is empty"],
    ],
  ])("%s", (_, lines, problems) => {
    expect(problemsIn(join(lines))).toEqual(problems);
  });

  test("ANZ takes the codes that it lists, and no others", () => {
    expect(problemsIn(join([anzHeader, first.replace(",50,", ",51,"), one]))).toEqual([
      'error 2:19 the transaction code must be 50, 52 or 00, but is "51"',
    ]);
  });

  test("reading never throws", () => {
    expectNeverThrows(bnz);
    expectNeverThrows(anz);
  });
});

test.each([
  "1,a,b,c,d,e,f,g\r\n",
  "20260323,one,two\r\n",
  "2,5,6\r\n",
  "A,b,c\r\n",
  `202603231234567,${"x".repeat(120)}\r\n`.slice(0, 60),
])("%j is of no known format", (text) => {
  expect(checkText(text).format).toBe("unknown");
});
