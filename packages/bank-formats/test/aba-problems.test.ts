// Every problem that the reader of ABA files finds, with its place.

import { describe, expect, test } from "vitest";
import {
  checkLines,
  credit,
  header,
  problemsOf,
  put,
  returned,
  secondCredit,
  single,
  trailerOf,
} from "./aba-lines.ts";

describe("problems", () => {
  test.each<[string, string[], string[]]>([
    [
      "wrong BSB of the trailer",
      [header, credit, put(single, 2, "084-255")],
      ['error 3:2 the BSB must be 999-999, but is "084-255"'],
    ],
    [
      "wrong net total",
      [header, put(credit, 21, "0002599872"), trailerOf({ credit: 2_599_872, net: 0, count: 1 })],
      ["error 3:21 the net total must be 25998.72, but is 0.00"],
    ],
    [
      "wrong credit and debit totals",
      [header, credit, trailerOf({ credit: 9000, debit: 500, net: 10_000, count: 1 })],
      [
        "error 3:31 the credit total must be 100.00, but is 90.00",
        "error 3:41 the debit total must be 0.00, but is 5.00",
      ],
    ],
    [
      "wrong number of records",
      [header, credit, trailerOf({ credit: 10_000, count: 2 })],
      ["error 3:75 the number of records must be 1, but is 2"],
    ],
    [
      "totals that are no numbers",
      [header, credit, put(single, 21, "000000100A")],
      ['error 3:21 the net total must be 10 digits, but is "…100A"'],
    ],
    [
      "amount of zero",
      [header, put(credit, 21, "0000000000"), trailerOf({ count: 1 })],
      ["error 2:21 the amount must be above zero, but is 0"],
    ],
    [
      "negative amount",
      [header, put(credit, 21, "000000-500"), trailerOf({ count: 1 })],
      ['error 2:21 the amount must be 10 digits, but is "…000-500"'],
    ],
    [
      "account number of ten digits",
      [header, credit.replace("111111111", "1111111111"), single],
      [
        "error 2:121 a record must have 120 characters, but has 121",
        'error 2:18 the indicator must be blank, N, T, W, X or Y, but is "1"',
        'error 2:19 the transaction code must be 13 or 50 to 57, but is "5"',
        'error 2:81 the trace BSB must be 6 digits as nnn-nnn, but is "062-00"',
        'error 2:113 the withholding tax must be 8 digits, but is "…000"',
        "error 3:21 the net total must be 10.00, but is 100.00",
        "error 3:31 the credit total must be 10.00, but is 100.00",
      ],
    ],
    [
      "blank title",
      [header, put(credit, 31, " ".repeat(32)), single],
      ["error 2:31 the account title must be given, but is blank"],
    ],
    [
      "day that does not exist",
      [put(header, 75, "310226"), credit, single],
      ['error 1:75 the process date must be a date as DDMMYY, but is "310226"'],
    ],
    [
      "other characters",
      [header, put(credit, 31, "Zoë"), single],
      ['error 2:33 the account title can\'t hold "ë" (U+00EB)'],
    ],
    [
      "semicolon",
      [header, put(credit, 63, "A;B"), single],
      ['error 2:64 the lodgement reference can\'t hold ";" (U+003B)'],
    ],
    [
      "wrong BSB",
      [header, put(credit, 2, "   abc-"), single],
      ['error 2:2 the BSB must be 6 digits as nnn-nnn, but is "abc-"'],
    ],
    [
      "account number with other characters",
      [header, put(credit, 9, "12345_789"), single],
      ['error 2:9 the account number must be digits, letters and hyphens, but is "…789"'],
    ],
    [
      "account number of zeros",
      [header, put(credit, 9, "000000000"), single],
      ['error 2:9 the account number must be given and not all zeros, but is "…000"'],
    ],
    [
      "account number at the left",
      [header, put(credit, 9, "1234     "), single],
      ["warning 2:9 the account number should be at the right of its field, but is not"],
    ],
    [
      "unknown indicator and transaction code",
      [header, put(credit, 18, "Q99"), single],
      [
        'error 2:18 the indicator must be blank, N, T, W, X or Y, but is "Q"',
        'error 2:19 the transaction code must be 13 or 50 to 57, but is "99"',
      ],
    ],
    [
      "blank reference, remitter and tax",
      [header, put(put(credit, 63, " ".repeat(18)), 97, " ".repeat(24)), single],
      [
        "warning 2:63 the lodgement reference should be given, but is blank",
        "warning 2:97 the remitter should be given, but is blank",
        "error 2:113 the withholding tax must be 8 digits, but is blank",
      ],
    ],
    [
      "broken header",
      [
        put(put(put(put(header, 19, "00cba"), 24, "X"), 57, "30150A            "), 81, "9999"),
        credit,
        single,
      ],
      [
        'warning 1:24 the filler should be blank, but is "X"',
        'error 1:19 the sequence number must be 01 or the number of the reel, but is "00"',
        'error 1:21 the bank\'s abbreviation must be 3 capital letters, but is "cba"',
        'warning 1:81 the time should be blank or HHMM, but is "9999"',
        'error 1:57 the user ID must be 6 digits, but is "…150A"',
        "error 1:63 the description must be given, but is blank",
      ],
    ],
    [
      "header that names an account badly",
      [put(header, 2, "062000  12345+78"), credit, single],
      [
        'error 1:2 the BSB must be 6 digits as nnn-nnn, but is "…000"',
        'error 1:9 the account number must be digits, letters and hyphens, but is "…+78"',
      ],
    ],
    [
      "short record",
      [header.trimEnd(), credit, single],
      ["error 1:81 a record must have 120 characters, but has 80"],
    ],
    [
      "no header",
      [credit, single],
      ["error 1:1 a record of type 0 must come before one of type 1"],
    ],
    [
      "returns without a header",
      [returned, trailerOf({ credit: 2000, count: 1 })],
      ["error 1:1 a record of type 0 must come before one of type 2"],
    ],
    [
      "no trailer",
      [header, credit],
      ["error 2:1 a record of type 7 must end the file, but is missing"],
    ],
    [
      "no trailer before another header",
      [header, credit, header, secondCredit, trailerOf({ credit: 2550, count: 1 })],
      ["error 3:1 a record of type 7 must come before another of type 0"],
    ],
    [
      "no payments",
      [header, trailerOf({ count: 0 })],
      ["error 2:1 a record of type 1 or 2 must come before the one of type 7"],
    ],
    [
      "trailer alone",
      [trailerOf({ count: 0 })],
      [
        "error 1:1 a record of type 0 must come before the one of type 7",
        "error 0:0 the file must have a record of type 0, but has none",
      ],
    ],
    [
      "unknown record type",
      [header, credit, put(credit, 1, "3"), single],
      ['error 3:1 the record type must be 0, 1, 2 or 7, but is "3"'],
    ],
    [
      "empty line",
      [header, "", credit, single],
      ["error 2:1 a record must be here, but the line is empty"],
    ],
    [
      "filler of the trailer",
      [header, credit, put(single, 60, "X")],
      ['warning 3:51 the filler should be blank, but is "X"'],
    ],
    [
      "duplicate",
      [header, credit, credit, trailerOf({ credit: 20_000, count: 2 })],
      ["warning 3:1 line 2 has the same BSB, account number, amount and lodgement reference"],
    ],
    [
      "return without a code",
      [header, put(returned, 18, "X"), trailerOf({ credit: 2000, count: 1 })],
      ['error 2:18 the return code must be 1 digit, but is "X"'],
    ],
    [
      "return with odd details",
      [
        header,
        put(put(put(returned, 18, "7"), 31, "Zoë"), 113, "32A01500"),
        trailerOf({ credit: 2000, count: 1 }),
      ],
      [
        'warning 2:33 the account title can\'t hold "ë" (U+00EB)',
        'warning 2:18 the return code should be 1 to 6, 8 or 9, but is "7"',
        'warning 2:113 the original day should be 01 to 31, but is "32"',
        'warning 2:115 the original user ID should be 6 digits, but is "A…500"',
      ],
    ],
  ])("%s", (_, lines, problems) => {
    expect(problemsOf(lines)).toEqual(problems);
  });

  test("warnings leave a file valid, errors do not", () => {
    expect(
      checkLines([header, credit, credit, trailerOf({ credit: 20_000, count: 2 })]).valid,
    ).toBe(true);
    expect(checkLines([header, credit]).valid).toBe(false);
  });
});
