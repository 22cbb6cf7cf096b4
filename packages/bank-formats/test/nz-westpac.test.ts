// Westpac's Deskbank files, with commas and with fixed columns.

import { describe, expect, test } from "vitest";
import { readWestpac } from "../src/nz/westpac-read.ts";
import { type WestpacSettings, westpacFormat } from "../src/nz/westpac-write.ts";
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

const settings: WestpacSettings = {
  accountNumber: "030510072049700",
  ourName: "Harbour Café Ltd",
  description: "Payouts",
  isFixedLength: false,
};

const payments = [
  nzPayment(),
  nzPayment({ accountNumber: otherAccount, amount: 204_250n, payeeName: "Hēmi, Walker" }),
];

const header = "A,000001,03,0510,HARBOUR CAFE LTD,,PAYOUTS,171126,";
const first =
  "D,000002,01,0902,00068389,0000,50,DC,165700,Kiri Tane,,,PO-0001,03,0510,00720497,0000,HARBOUR CAFE LTD,";
const second =
  "D,000003,08,6523,01954512,0001,50,DC,204250,Hemi Walker,,,PO-0001,03,0510,00720497,0000,HARBOUR CAFE LTD,";
const fixedHeader = `A000001030510HARBOUR CAFE LTD                    PAYOUTS             171126${" ".repeat(105)}`;
const fixedFirst = `D00000201090200068389000050DC000000000165700Kiri Tane                                        PO-0001030510007204970000HARBOUR CAFE LTD    ${" ".repeat(42)}`;

const join = (lines: string[]) => lines.map((line) => `${line}\r\n`).join("");

describe("files", () => {
  test("credits are written between commas, in capital letters but for the payee's name", () => {
    expect(writeFile(westpacFormat, settings, payments)).toBe(join([header, first, second]));
  });

  test("credits are written at fixed columns where the bank wants it", () => {
    expect(fixedHeader).toHaveLength(180);
    expect(fixedFirst).toHaveLength(180);
    const fixed = { ...settings, isFixedLength: true };
    expect(writeFile(westpacFormat, fixed, payments.slice(0, 1))).toBe(
      join([fixedHeader, fixedFirst]),
    );
    const read = { format: "nz-westpac", problems: [], count: 1, credit: 165_700, debit: 0 };
    expect(checkText(join([fixedHeader, fixedFirst]))).toMatchObject(read);
    expect(checkText(join([header, first]))).toMatchObject(read);
  });

  test("a header is optional, and a file may have several", () => {
    expect(problemsIn(join([first]))).toEqual([]);
    const later = second.replace("000003", "000004");
    expect(problemsIn(join([header, first, header.replace("000001", "000003"), later]))).toEqual(
      [],
    );
  });

  test("every field is read, and written again byte for byte", () => {
    const full = first.replace("Kiri Tane,,,PO-0001", "Kiri Tane,PART,CODE,REF 1");
    expect([...readWestpac(join([header, full]))]).toEqual([
      {
        kind: "header",
        line: 1,
        fieldCount: 9,
        ourAccount: "030510",
        ourName: "HARBOUR CAFE LTD",
        dueDate: "2026-11-17",
        dueDateOrder: "DDMMYY",
        createdDate: "",
        other: { sequence: "000001", customerNumber: "", description: "PAYOUTS" },
      },
      {
        kind: "payment",
        line: 2,
        fieldCount: 19,
        account: "010902000683890000",
        transactionCode: "50",
        direction: "credit",
        amount: 165_700n,
        payeeName: "Kiri Tane",
        payeeParticulars: "PART",
        payeeCode: "CODE",
        payeeReference: "REF 1",
        ourName: "HARBOUR CAFE LTD",
        ourParticulars: "",
        ourCode: "",
        ourReference: "",
        other: { sequence: "000002", source: "DC", ourAccount: "030510007204970000" },
      },
    ]);
    expect(writeNewZealandAgain(join([header, full]))).toEqual([header, full]);
    expect(writeNewZealandAgain(join([fixedHeader, fixedFirst]))).toEqual([
      fixedHeader,
      fixedFirst,
    ]);
  });

  test("between commas, zeros may be missing", () => {
    const short =
      "D,2,1,902,68389,0,50,DC,165700,Kiri Tane,,,PO-0001,3,510,720497,0,HARBOUR CAFE LTD";
    expect(problemsIn(join(["A,1,3,510,,,,171126", short]))).toEqual([]);
    expect(writeNewZealandAgain(join([short]))).toEqual([first.slice(0, -1)]);
  });

  test("direct debits are read as debits", () => {
    const debit = first.replace("50,DC", "00,DD");
    expect(checkText(join([debit]))).toMatchObject({ problems: [], credit: 0, debit: 165_700 });
  });

  test("the reader finds every file of the writer valid", () => {
    expectReadable(westpacFormat, settings, "nz-westpac");
    expectReadable(westpacFormat, { ...settings, isFixedLength: true }, "nz-westpac");
  });
});

describe("problems", () => {
  test.each<[string, string[], string[]]>([
    [
      "broken header",
      ["A,x,12,,HARBOUR,,PAYOUTS,310226,spare", first],
      [
        'warning 1:33 the filler should be blank, but is "spare"',
        'error 1:5 the bank number must be 03, but is "12"',
        "error 1:8 the branch number must be digits, at most 4, but is empty",
        'error 1:26 the due date must be a date as DDMMYY, but is "310226"',
        'error 1:3 the sequence number must be digits, at most 6, but is "x"',
      ],
    ],
    [
      "numbers of records that do not ascend",
      [header, first, first],
      ['warning 3:3 the sequence number should be above that of the record before, but is "…002"'],
    ],
    [
      "unknown transaction code",
      [header, first.replace(",50,DC", ",51,DC")],
      ['error 2:32 the transaction code must be 50, 52 or 00, but is "51"'],
    ],
    [
      "source of another direction",
      [header, first.replace(",50,DC", ",50,DD")],
      ['error 2:35 the MTS source must be DC, but is "DD"'],
    ],
    [
      "broken amount and account",
      [header, first.replace("165700", "-5").replace("00068389", "6838x")],
      [
        'error 2:18 the payee\'s account number must be digits, at most 8, but is "…38x"',
        "warning 2:10 the base of the account number is all zeros",
        'error 2:35 the amount must be digits, at most 15, but is "-5"',
      ],
    ],
    [
      "wrong check digits",
      [header, first.replace("68389,", "68388,")],
      ["warning 2:10 the check digits of the account number that ends in 000 are wrong"],
    ],
    [
      "quotation marks and other characters",
      [header, first.replace("Kiri Tane", '"Kiri"'), second.replace("Hemi", "Hēmi")],
      [
        'error 2:45 the payee\'s name can\'t hold """ (U+0022)',
        "error 3:46 the payee's name can't hold \"ē\" (U+0113)",
      ],
    ],
    [
      "comma in a name",
      [header, first.replace("Kiri Tane", "Tane, Kiri")],
      [
        "error 2:58 the payer's bank number must have at most 2 characters, but has 7",
        "error 2:74 the payer's suffix must have at most 4 characters, but has 8",
        'warning 2:88 the filler should be blank, but is "HARBOUR CAFE LTD"',
        'error 2:58 the payer\'s bank number must be digits, at most 2, but is "PO-0001"',
      ],
    ],
    [
      "unknown record",
      [header, first, "Z,1"],
      ['error 3:1 the record type must be A or D, but is "Z"'],
    ],
    ["no payments", [header], ["error 0:0 the file must have a record of type D, but has none"]],
    [
      "short record",
      [fixedHeader, fixedFirst.trimEnd()],
      ["error 2:135 a record must have 180 characters, but has 134"],
    ],
  ])("%s", (_, lines, problems) => {
    expect(problemsIn(join(lines))).toEqual(problems);
  });

  test("reading never throws", () => {
    expectNeverThrows([header, first, second]);
    expectNeverThrows([fixedHeader, fixedFirst]);
  });
});
