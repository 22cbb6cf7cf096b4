// ASB's MT9 files.

import { describe, expect, test } from "vitest";
import { readAsb } from "../src/nz/asb-read.ts";
import { type AsbSettings, asbFormat } from "../src/nz/asb-write.ts";
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

const settings: AsbSettings = { accountNumber: "1231400171323050", ourName: "Harbour Café Ltd" };

const payments = [
  nzPayment(),
  nzPayment({ accountNumber: otherAccount, amount: 204_250n, payeeName: "Hēmi, Walker" }),
];

const header = `12123140017132350 20261117     Harbour Cafe Ltd    ${" ".repeat(109)}`;
const first = `13010902006838900 0510000165700Kiri Tane           ${" ".repeat(12)}            PO-0001                  Harbour Cafe Ltd                PO-0001     ${" ".repeat(16)}`;
const second = `1308652319545120010510000204250Hemi, Walker        ${" ".repeat(12)}            PO-0001                  Harbour Cafe Ltd                PO-0001     ${" ".repeat(16)}`;
const trailer = `139974252022901      0000369950${" ".repeat(129)}`;
const one = `139909020068389      0000165700${" ".repeat(129)}`;
const lines = [header, first, second, trailer];

const join = (records: string[]) => records.map((line) => `${line}\r\n`).join("");

/** The line with other text from a column on. */
function put(line: string, column: number, text: string): string {
  return line.slice(0, column - 1) + text + line.slice(column - 1 + text.length);
}

describe("files", () => {
  test("credits are written at their columns, our suffix with two digits", () => {
    for (const line of lines) expect(line).toHaveLength(160);
    expect(writeFile(asbFormat, settings, payments)).toBe(join(lines));
  });

  test.each(["\r\n", "\r", "\n"])("lines may end with %j, and the last one without", (end) => {
    expect(checkText(lines.join(end))).toEqual({
      format: "nz-asb",
      valid: true,
      problems: [],
      count: 2,
      credit: 369_950,
      debit: 0,
    });
  });

  test.each([
    ["20261117", "2026-11-17"],
    ["17112026", "2026-11-17"],
    ["171126", "2026-11-17"],
    ["17/11/26", "2026-11-17"],
    ["20122026", "2026-12-20"],
  ])("the due date may be %s", (text, dueDate) => {
    const file = join([put(header, 19, text.padEnd(13)), first, one]);
    expect(problemsIn(file)).toEqual([]);
    expect([...readAsb(file)][0]).toMatchObject({ dueDate });
  });

  test("dates keep their order when they are written again", () => {
    const file = [put(header, 19, "17112026"), first, one];
    expect(writeNewZealandAgain(join(file))).toEqual(file);
  });

  test("every field is read, and written again byte for byte", () => {
    const full = `13010902006838900 0520000165700Kiri Tane           RUN-01      WAGES       NOV-26      PAY          HARBOUR             CODE        REF         PART            `;
    expect([...readAsb(join([header, full, one]))].slice(1)).toEqual([
      {
        kind: "payment",
        line: 2,
        account: "010902006838900",
        transactionCode: "052",
        direction: "credit",
        amount: 165_700n,
        payeeName: "Kiri Tane",
        payeeParticulars: "PAY",
        payeeCode: "WAGES",
        payeeReference: "NOV-26",
        ourName: "HARBOUR",
        ourParticulars: "PART",
        ourCode: "CODE",
        ourReference: "REF",
        other: { internalReference: "RUN-01" },
      },
      {
        kind: "trailer",
        line: 3,
        credit: 165_700n,
        debit: 0n,
        count: undefined,
        hashTotal: "09020068389",
      },
    ]);
    expect(writeNewZealandAgain(join([header, full, one]))).toEqual([header, full, one]);
  });

  test("direct debits are read with the credit of our account that may balance them", () => {
    const debits = put(header, 1, "20");
    const end = put(put(trailer, 5, "18040136778"), 22, "0000331400");
    const file = join([debits, put(first, 19, "000"), first, end]);
    expect(checkText(file)).toMatchObject({
      format: "nz-asb",
      problems: [],
      count: 2,
      credit: 165_700,
      debit: 165_700,
    });
  });

  test("the reader finds every file of the writer valid", () => {
    expectReadable(asbFormat, settings, "nz-asb");
  });

  test("a payment is refused where ten digits can't say its amount", () => {
    const problems = asbFormat.problemsOf(nzPayment({ amount: 10_000_000_000n }), settings);
    expect(problems).toEqual([
      { field: "amount", message: "This format carries amounts up to 99,999,999.99 NZD." },
    ]);
    const atTrailer = nzPayment({ accountNumber: "990902006838900" });
    expect(asbFormat.problemsOf(atTrailer, settings)).toEqual([
      {
        field: "accountNumber",
        message: "ASB's files can't carry the bank number 99, which marks their last record.",
      },
    ]);
  });
});

describe("problems", () => {
  test("a payment to a bank with the number 99 is no trailer", () => {
    const file = join([header, put(first, 3, "99"), one]);
    expect(problemsIn(file)).toEqual(["warning 2:3 no bank that we know has the number 99"]);
  });

  test.each<[string, string[], string[]]>([
    [
      "wrong totals",
      [header, first, second, put(put(trailer, 5, "74252022902"), 22, "0000369951")],
      [
        "error 4:5 the check total must be 74252022901, but is 74252022902",
        "error 4:22 the total amount must be 3699.50, but is 3699.51",
      ],
    ],
    [
      "no check total",
      [header, first, put(one, 5, " ".repeat(11))],
      ["warning 3:5 the check total should be given, but is blank"],
    ],
    [
      "broken header",
      [put(put(put(header, 3, "1x"), 16, "A0 "), 19, "20261131"), first, one],
      [
        'error 1:3 the bank number must be 2 digits, but is "1x"',
        'error 1:16 the suffix must be 2 digits and a space or a digit, but is "A0"',
        'error 1:19 the due date must be a date as YYYYMMDD or DDMMYYYY or DDMMYY, but is "20261131"',
      ],
    ],
    [
      "broken payment",
      [
        header,
        put(
          put(put(put(put(first, 16, "0  "), 19, "99x"), 22, "0000000000"), 32, " ".repeat(20)),
          100,
          "X",
        ),
        put(one, 22, "0000000000"),
      ],
      [
        'warning 2:100 the filler should be blank, but is "X"',
        'error 2:19 the transaction code must be 3 digits, but is "99x"',
        'error 2:16 the suffix must be 3 digits, or 2 digits and a space, but is "0"',
        "error 2:22 the amount must be above zero, but is 0",
        "error 2:32 the payee's name must be given, but is blank",
        'error 3:5 the check total must be that of the payment\'s account, but is "…389"',
      ],
    ],
    [
      "other transaction code",
      [header, put(first, 19, "099"), one],
      ['warning 2:19 the transaction code should be 050, 051, 052 or 000, but is "099"'],
    ],
    [
      "debit among credits",
      [header, put(first, 19, "000"), one],
      [
        'error 2:19 the transaction code must be that of a credit, because the file type is 12, but is "000"',
      ],
    ],
    [
      "wrong check digits",
      [header, put(first, 15, "8"), put(one, 5, "09020068388")],
      ["warning 2:3 the check digits of the account number that ends in 800 are wrong"],
    ],
    [
      "characters",
      [header, put(first, 32, "Kīri"), put(second, 76, "A;B"), trailer],
      [
        "error 2:33 the payee's name can't hold \"ī\" (U+012B)",
        "warning 3:77 the payee's reference can't hold \";\" (U+003B)",
      ],
    ],
    [
      "short record",
      [header, first.trimEnd(), one],
      ["error 2:140 a record must have 160 characters, but has 139"],
    ],
    [
      "unknown record",
      [header, first, put(first, 1, "14"), one],
      ['error 3:1 the record type must be 12, 13 or 20, but is "14"'],
    ],
    ["no trailer", [header, first], ["error 2:1 a trailer must end the file, but is missing"]],
  ])("%s", (_, records, problems) => {
    expect(problemsIn(join(records))).toEqual(problems);
  });

  test("reading never throws", () => {
    expectNeverThrows(lines);
  });
});
