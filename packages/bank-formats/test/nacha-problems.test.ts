// Every problem that the reader of NACHA files finds, with its place.

import { describe, expect, test } from "vitest";
import { checkBankFile } from "../src/check.ts";
import { put } from "./aba-lines.ts";
import { checkNacha, fileOf, golden, nachaProblems, nines } from "./nacha-lines.ts";

const [fileHeader = "", batchHeader = "", entry = "", , , , , batchControl = "", fileControl = ""] =
  golden;
const addenda = `705THANK YOU${" ".repeat(71)}00010000001`;
const oneCredit = { hash: 1_140_153, credit: 10_000 };
const corHeader = put(batchHeader, 51, "COR");

/** The golden file with one line changed, from a column on. */
function change(line: number, column: number, text: string): string[] {
  return golden.with(line - 1, put(golden[line - 1] ?? "", column, text));
}

describe("problems that make a file invalid", () => {
  test.each<[string, string[], string[]]>([
    [
      "no file header",
      golden.slice(1),
      [
        "error 1:1 a file must begin with a file header (1)",
        "warning 0:0 a file should have full blocks of 10 lines, but has 9 lines",
      ],
    ],
    [
      "file header that is not first",
      [batchHeader, fileHeader, ...golden.slice(2)].slice(0, 2),
      [
        "error 1:1 a batch must end with a batch control (8)",
        "error 2:1 the file header must be the first line",
        "error 0:0 a file must end with a file control (9)",
      ],
    ],
    [
      "second file header",
      [fileHeader, ...golden.slice(0, 8), fileControl],
      ["error 2:1 a file must have one file header, but another is in line 1"],
    ],
    ["no file control", golden.slice(0, 8), ["error 0:0 a file must end with a file control (9)"]],
    [
      "no batch control",
      golden.toSpliced(4, 1).concat(nines),
      ["error 2:1 a batch must end with a batch control (8)"],
    ],
    [
      "no batch header",
      golden.toSpliced(5, 1).concat(nines),
      [
        "error 6:1 an entry must be inside of a batch, after its header (5)",
        "error 7:1 a batch control must follow a batch header (5)",
        'warning 8:2 the number of batches should be 1, but is "000002"',
      ],
    ],
    [
      "addenda outside of a batch",
      [fileHeader, addenda],
      [
        "error 2:1 an addenda record must be inside of a batch, after its header (5)",
        "error 2:1 addenda must follow an entry (6)",
        "error 0:0 a file must end with a file control (9)",
      ],
    ],
    [
      "other records",
      change(10, 1, "X"),
      [
        "error 10:1 only lines of nines may follow the file control in line 9",
        "error 10:1 a record must begin with 1, 5, 6, 7, 8 or 9",
      ],
    ],
    [
      "padding before the file control",
      [...golden.slice(0, 8), nines, fileControl],
      ["error 9:1 lines of nines must follow the file control (9)"],
    ],
    [
      "wrong batch control",
      change(8, 5, "0000090002600958000000000001000999999998"),
      [
        "error 8:5 the number of entries and addenda must be 1, but is 9",
        "error 8:11 the entry hash must be 2600959, but is 2600958",
        "error 8:21 the debit total must be 0.00, but is 0.01",
        "error 8:33 the credit total must be 9999999.99, but is 9999999.98",
      ],
    ],
    [
      "wrong file control",
      change(9, 14, "000000080015841137000000000002001000012540"),
      [
        "error 9:14 the number of entries and addenda must be 3, but is 8",
        "error 9:22 the entry hash must be 15841136, but is 15841137",
        "error 9:32 the debit total must be 0.00, but is 0.02",
        "error 9:44 the credit total must be 10000125.49, but is 10000125.40",
      ],
    ],
    [
      "controls that are no numbers",
      change(8, 11, "00026O0959"),
      ['error 8:11 the entry hash must be 10 digits, but is "…026O0959"'],
    ],
    [
      "amount that is no number",
      fileOf(batchHeader, [put(entry, 30, "00000100.0")], { hash: 1_140_153 }),
      ['error 3:30 the amount must be 10 digits, but is "…100.0"'],
    ],
    [
      "receiving bank that is no number",
      fileOf(batchHeader, [put(entry, 4, "0114015X")], { hash: 0, credit: 10_000 }),
      ['error 3:4 the receiving bank must be 8 digits, but is "…015X"'],
    ],
    [
      "unknown transaction code",
      fileOf(put(batchHeader, 2, "200"), [put(entry, 2, "90")], {
        hash: 1_140_153,
        debit: 10_000,
      }),
      ['error 3:2 the transaction code must be one such as 22, 27, 32 or 37, but is "90"'],
    ],
    [
      "unknown code of an advice",
      [
        fileHeader,
        "5280FEDERAL RESERVE                     1987654321ADVADVICE          261117   0021000020000001",
        "622011401533000123456789   00000001000001140153300001 NAME                    0021000020500001",
        "828000000100011401530000000000000000000000000000000000010000FEDERAL RESERVE    021000020000001",
        "90000010000010000000100011401530000000000000000000000000000000000010000                       ",
        ...Array.from({ length: 5 }, () => nines),
      ],
      ['error 3:2 the transaction code must be 81 to 88, but is "22"'],
    ],
    [
      "record that is too short",
      golden.with(7, batchControl.slice(0, 90)),
      [
        'warning 8:88 the batch number should be "0000002" as in the batch header, but is "000"',
        "error 8:91 a record must have 94 characters, but has 90",
      ],
    ],
    [
      "record that is too long",
      golden.with(2, `${entry}77`),
      ["error 3:95 a record must have 94 characters, but has 96"],
    ],
  ])("%s", (_, lines, problems) => {
    expect(nachaProblems(lines)).toEqual(problems);
    expect(checkNacha(lines)).toMatchObject({ format: "nacha", valid: false });
  });
});

describe("doubts that banks accept", () => {
  test.each<[string, string[], string[]]>([
    [
      "spaces that are missing or left over",
      golden
        .with(0, fileHeader.trimEnd())
        .with(2, `${entry}  `)
        .with(8, fileControl.trimEnd())
        .with(9, `${nines}99`),
      [
        "warning 1:80 a record must have 94 characters, but has 79; the rest is read as spaces",
        "warning 3:95 a record must have 94 characters, but has 96; the rest is left out",
        "warning 9:56 a record must have 94 characters, but has 55; the rest is read as spaces",
        "warning 10:95 a record must have 94 characters, but has 96; the rest is left out",
      ],
    ],
    [
      "short padding",
      golden.with(9, "999"),
      ["warning 10:4 a record must have 94 characters, but has 3"],
    ],
    [
      "empty line",
      golden.toSpliced(4, 0, "").concat("", " "),
      ["warning 5:1 a record must be here, but the line is empty"],
    ],
    [
      "other characters",
      change(3, 55, "JÄNE"),
      ['warning 3:56 a record should be printable ASCII, but has "Ä" (U+00C4)'],
    ],
    [
      "characters outside of the first plane, which count once",
      golden.with(2, entry.replace("JANE ", "JANE🙂")),
      ['warning 3:59 a record should be printable ASCII, but has "\ufffd" (U+FFFD)'],
    ],
    [
      "file header",
      [`102${" ".repeat(20)}2602302561a095112${fileHeader.slice(40)}`, ...golden.slice(1)],
      [
        'warning 1:2 the priority code should be 01, but is "02"',
        "warning 1:4 the immediate destination should be given, but is blank",
        "warning 1:14 the immediate origin should be given, but is blank",
        'warning 1:24 the creation date should be a date as YYMMDD, but is "260230"',
        'warning 1:30 the creation time should be blank or HHMM, but is "2561"',
        'warning 1:34 the file ID modifier should be a capital letter or a digit, but is "a"',
        'warning 1:35 the record size should be 094, but is "095"',
        'warning 1:38 the blocking factor should be 10, but is "11"',
        'warning 1:40 the format code should be 1, but is "2"',
      ],
    ],
    [
      "batch header",
      fileOf(
        "5280ACME PAYOUTS                                  XYZPAYOUT          261317   1ABCDEFGH00000X1",
        [entry],
        oneCredit,
      ),
      [
        'warning 2:2 the service class should be 200, 220 or 225, but is "280"',
        "warning 2:41 the company identification should be given, but is blank",
        'warning 2:51 the entry class should be one such as PPD or CCD, but is "XYZ"',
        'warning 2:70 the effective date should be a date as YYMMDD, but is "261317"',
        'warning 2:80 the originating bank should be 8 digits, but is "ABCDEFGH"',
        'warning 2:88 the batch number should be 7 digits, but is "…000X1"',
        "warning 2:88 the batch number should be above 0, but is 0",
      ].sort(),
    ],
    [
      "batch numbers that don't grow",
      change(6, 88, "0000001").with(7, put(batchControl, 88, "0000001")),
      ["warning 6:88 the batch number should be above 1, but is 1"],
    ],
    [
      "batch control that differs from its header",
      change(8, 2, "225").with(7, put(put(batchControl, 2, "225"), 45, "2987654321")),
      [
        'warning 8:2 the service class should be "220" as in the batch header, but is "225"',
        'warning 8:45 the company identification should be "1987654321" as in the batch header, but is "2987654321"',
      ],
    ],
    [
      "debits in a batch of credits",
      fileOf(batchHeader, [put(entry, 2, "27")], { hash: 1_140_153, debit: 10_000 }),
      ['warning 4:2 the service class should be 200 because of debits of 100.00, but is "220"'],
    ],
    [
      "credits in a batch of debits",
      fileOf(put(batchHeader, 2, "225"), [entry], oneCredit),
      ['warning 4:2 the service class should be 200 because of credits of 100.00, but is "225"'],
    ],
    [
      "numbers of batches and blocks",
      change(9, 2, "000003000007"),
      [
        'warning 9:2 the number of batches should be 2, but is "000003"',
        'warning 9:8 the number of blocks should be 1, but is "000007"',
      ],
    ],
    [
      "blocks that are not full",
      golden.slice(0, 9),
      ["warning 0:0 a file should have full blocks of 10 lines, but has 9 lines"],
    ],
    [
      "transaction code that is not in use",
      fileOf(batchHeader, [put(entry, 2, "57")], { hash: 1_140_153, debit: 10_000 }),
      [
        'warning 3:2 the transaction code should be one such as 22, 27, 32 or 37, but is "57"',
        'warning 4:2 the service class should be 200 because of debits of 100.00, but is "220"',
      ],
    ],
    [
      "account and name",
      fileOf(
        batchHeader,
        [put(put(entry, 12, `5${" ".repeat(17)}`), 55, " ".repeat(22))],
        oneCredit,
      ),
      [
        'warning 3:12 the check digit should be that of the routing number, but is "5"',
        "warning 3:13 the account number should be given, but is blank",
        "warning 3:55 the name should be given, but is blank",
      ],
    ],
    [
      "numbers filled with spaces",
      change(8, 21, "           0").with(2, put(entry, 30, "     10000")),
      [
        'warning 3:30 the amount should be 10 digits, but is "…000"',
        'warning 8:21 the debit total should be 12 digits, but is "0"',
      ],
    ],
    [
      "prenotification of an amount",
      fileOf(batchHeader, [put(entry, 2, "23")], oneCredit),
      ["warning 3:30 the amount should be 0.00 for a prenotification, but is 100.00"],
    ],
    [
      "payment of nothing",
      fileOf(batchHeader, [put(entry, 30, "0000000000")], { hash: 1_140_153 }),
      ["warning 3:30 the amount should be above zero, but is 0.00"],
    ],
    [
      "notification of change of an amount, without its addenda",
      fileOf(corHeader, [put(entry, 2, "21")], oneCredit),
      [
        "warning 3:1 a notification of change should have an addenda record of type 98",
        "warning 3:30 the amount should be 0.00 for a notification of change, but is 100.00",
      ],
    ],
    [
      "trace numbers",
      fileOf(
        batchHeader,
        [put(entry, 80, "02100002ABCDEFG"), put(entry, 80, "011401530000001"), entry, entry],
        { hash: 4_560_612, credit: 40_000 },
      ),
      [
        'warning 3:80 the trace number should be 15 digits, but is "…002ABCDEFG"',
        'warning 4:80 the trace number should be above the one before it, "02100002ABCDEFG", but is "011401530000001"',
        'warning 4:80 the trace number should be of the originating bank 02100002, but is "011401530000001"',
        'warning 6:80 the trace number should be above the one before it, "021000020000001", but is "021000020000001"',
      ],
    ],
    [
      "addenda that are not announced, belong elsewhere or are out of order",
      fileOf(
        batchHeader,
        [entry, put(addenda, 84, "00020000009"), put(addenda, 84, "0002")],
        oneCredit,
      ),
      [
        'warning 3:79 the addenda indicator should be 1 because 2 addenda follow, but is "0"',
        "warning 3:79 the addenda indicator should be for at most 1 addenda of class PPD, but is followed by 2",
        'warning 4:84 the addenda sequence number should be 1, but is "0002"',
        'warning 4:88 the entry sequence number should be 0000001 as in the entry\'s trace number, but is "0000009"',
      ],
    ],
    [
      "unknown addenda",
      fileOf(batchHeader, [entry, put(addenda, 2, "77")], oneCredit),
      ['warning 4:2 the addenda type should be one such as 05, 98 or 99, but is "77"'],
    ],
    [
      "number of addenda",
      fileOf(
        put(batchHeader, 51, "CTX"),
        [put(put(entry, 55, "0003"), 79, "1"), addenda],
        oneCredit,
      ),
      ['warning 3:55 the number of addenda should be 1, but is "0003"'],
    ],
    [
      "international entry without its parties",
      fileOf(
        "5220                FF3               CA1987654321IATTRADEPAYMTUSDCAD261117   1021000020000001",
        [
          "6220114015330001             0000010000CA-55-123                              1021000020000001",
          "711ACME PAYOUTS INC                   1 MAIN STREET                                    0000001",
        ],
        oneCredit,
      ),
      [
        "warning 3:1 an international entry should have addenda 10, 11, 12, 13, 14, 15, 16, but has 11",
      ],
    ],
    [
      "unknown return and change codes",
      fileOf(
        batchHeader,
        [
          put(entry, 79, "1"),
          "799R99021000020000001      01140153                                            011401530000001",
          put(put(entry, 79, "1"), 94, "2"),
          "798C99021000020000001      01140153                                            011401530000001",
        ],
        { hash: 2_280_306, credit: 20_000 },
      ),
      [
        'warning 4:4 the code should be one of R01 to R85, but is "R99"',
        'warning 6:4 the code should be one of C01 to C69, but is "C99"',
      ],
    ],
  ])("%s", (_, lines, problems) => {
    expect(nachaProblems(lines).sort()).toEqual(problems.sort());
    expect(checkNacha(lines)).toMatchObject({ format: "nacha", valid: true });
  });
});

test.each([
  ["a shifted file header", `1${fileHeader}`],
  ["a batch header", batchHeader],
  ["an entry", entry],
  ["a return", "799R03021000020000001      01140153".padEnd(94, " ")],
  ["a batch control", batchControl],
  ["a file control", fileControl],
])("a file that begins with %s is recognised, and invalid", (_, line) => {
  expect(checkBankFile(Buffer.from(line))).toMatchObject({ format: "nacha", valid: false });
});
