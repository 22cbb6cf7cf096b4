// ANZ's full file import, which names our account and the day itself.

import { describe, expect, test } from "vitest";
import { type AnzFullSettings, anzFullFormat } from "../src/nz/anz-full-write.ts";
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

const settings: AnzFullSettings = {
  accountNumber: "010902006838900",
  batchName: "Payouts",
  showsEachPayment: true,
};

const header = "1,C,20261117,,20261116,010902006838900,,M,010902006838900,Payouts,,,,,,";
const first = "2,010902006838900,50,165700,Kiri Tane,,,PO-0001,,,PO-0001,,,";
const second = "2,0865231954512001,50,204250,Hemi Walker,,,PO-0002,,,PO-0002,,,";
const trailer = "3,0,369950,2,74252022901,,,";
const one = "3,0,165700,1,9020068389,,,";

const join = (lines: string[]) => lines.map((line) => `${line}\r\n`).join("");

describe("files", () => {
  test("credits are written as one batch", () => {
    const payments = [
      nzPayment(),
      nzPayment({
        accountNumber: otherAccount,
        amount: 204_250n,
        payeeName: "Hēmi Walker",
        statementReference: "PO-0002",
      }),
    ];
    const lines = [header, first, second, trailer];
    expect(writeFile(anzFullFormat, settings, payments)).toBe(join(lines));
    expect(writeNewZealandAgain(join(lines))).toEqual(lines);
  });

  test("a file may hold several batches, of credits and of debits, with or without a hash total", () => {
    const debits = header.replace("1,C", "1,D").replace(",,M,", ",1234567,S,");
    const lines = [header, first, one, debits, first.replace(",50,", ",00,"), "3,165700,0,1,"];
    expect(checkText(join(lines))).toMatchObject({
      format: "nz-anz",
      problems: [],
      count: 2,
      credit: 165_700,
      debit: 165_700,
    });
  });

  test("the reader finds every file of the writer valid", () => {
    expectReadable(anzFullFormat, settings, "nz-anz");
  });
});

describe("problems", () => {
  test.each<[string, string[], string[]]>([
    [
      "wrong totals",
      [header, first, second, "3,1,369951,3,74252022902,,,"],
      [
        "error 4:3 the debit total must be 0.00, but is 0.01",
        "error 4:5 the credit total must be 3699.50, but is 3699.51",
        "error 4:12 the number of payments must be 2, but is 3",
        "error 4:14 the hash total must be 74252022901, but is 74252022902",
      ],
    ],
    [
      "broken header",
      ["1,X,20261131,2500,2026,12345,,Q,,,,,,x,,", first, one],
      [
        'warning 1:38 the reserved field should be blank, but is "x"',
        'error 1:3 the batch type must be C or D, but is "X"',
        'error 1:14 the payment time must be empty or HHMM, but is "2500"',
        'error 1:31 the reporting method must be S or M, but is "Q"',
        "error 1:34 the batch name must be given, but is empty",
        'error 1:24 the funds account must be 15 or 16 digits, but is "…345"',
        'error 1:5 the payment date must be a date as YYYYMMDD, but is "20261131"',
        'error 1:19 the creation date must be a date as YYYYMMDD, but is "2026"',
        "error 1:33 the dishonour account must be 15 or 16 digits, but is empty",
        'error 2:19 the transaction code must be that of a batch of type "X", but is "50"',
      ],
    ],
    [
      "debits without their code",
      [header.replace("1,C", "1,D"), first.replace(",50,", ",00,"), "3,165700,0,1,"],
      ["error 1:40 the direct debit code must be given, but is empty"],
    ],
    [
      "unknown code, and no name",
      [header, first.replace(",50,", ",51,").replace("Kiri Tane", ""), one],
      [
        'error 2:19 the transaction code must be 50, 52 or 00, but is "51"',
        "error 2:29 the payee's name must be given, but is empty",
      ],
    ],
    [
      "header within a batch",
      [header, first, header, first, one],
      ["error 3:1 a file must have one header only, but this is another"],
    ],
    [
      "unknown record",
      [header, first, "9", one],
      ['error 3:1 the record type must be 1, 2 or 3, but is "9"'],
    ],
  ])("%s", (_, lines, problems) => {
    expect(problemsIn(join(lines))).toEqual(problems);
  });

  test("reading never throws", () => {
    expectNeverThrows([header, first, second, trailer]);
  });
});
