// BAI2 files: read with all their funds types and continuations, and every problem found.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readBai2 } from "../src/bai2/read.ts";
import { checkBankFile } from "../src/check.ts";

const sample = [
  "01,021000021,ACME,261117,0700,7,80,1,2/",
  "02,ACME,021000021,1,261116,2400,USD,2/",
  "03,5550001,,010,+100000,,,015,99500,,/",
  "88,100,2500,2,V,261116,,400,3000,2,Z/",
  "16,142,2000,S,500,1000,500,BANK1,CUST1,PAYMENT FROM A, B/C AND SONS/",
  "16,195,500,D,2,0,300,1,200,,,WIRE",
  "88,FROM THE WESTERN BRANCH/",
  "16,475,1000,V,261116,0930,,77,CHECK 77/",
  "16,451,2000,0,,,/",
  "16,890,,,,,NO MONEY IN THIS ONE/",
  "49,210500,9/",
  "03,5550002,CAD,015/",
  "88,-700,,/",
  "49,-700,3/",
  "98,209800,2,14/",
  "99,209800,1,16/",
];

const check = (lines: readonly string[], end = "\n") =>
  checkBankFile(Buffer.from(lines.map((line) => line + end).join("")));

const problemsOf = (lines: readonly string[]) =>
  check(lines).problems.map(
    ({ severity, line, column, message }) => `${severity} ${line}:${column} ${message}`,
  );

const change = (line: number, from: string, to: string) =>
  sample.with(line - 1, (sample[line - 1] ?? "").replace(from, to));

describe("reading", () => {
  test.each(["\n", "\r\n", "\r", "   \n"])("lines may end with %j", (end) => {
    expect(check(sample, end)).toEqual({
      format: "bai2",
      valid: true,
      problems: [],
      count: 5,
      credit: 2500,
      debit: 3000,
    });
  });

  test("accounts come with their balances, transactions with references and text", () => {
    const records = [...readBai2(sample.join("\n"))];
    expect(records[0]).toEqual({
      kind: "account",
      line: 3,
      accountNumber: "5550001",
      currency: "USD",
      asOfDate: "2026-11-16",
      groupStatus: "1",
      asOfModifier: "2",
      summaries: [
        { typeCode: "010", amount: 100_000n },
        { typeCode: "015", amount: 99_500n },
        { typeCode: "100", amount: 2500n },
        { typeCode: "400", amount: 3000n },
      ],
    });
    expect(records[1]).toMatchObject({
      kind: "transaction",
      line: 5,
      typeCode: "142",
      direction: "credit",
      amount: 2000n,
      bankReference: "BANK1",
      customerReference: "CUST1",
      text: "PAYMENT FROM A, B/C AND SONS",
      account: { accountNumber: "5550001" },
    });
    expect(records[2]).toMatchObject({ line: 6, text: "WIRE FROM THE WESTERN BRANCH" });
    expect(records[3]).toMatchObject({
      direction: "debit",
      customerReference: "77",
      valueDate: "2026-11-16",
    });
    expect(records[5]).toMatchObject({ typeCode: "890", direction: undefined, amount: 0n });
    expect(records[6]).toMatchObject({
      currency: "CAD",
      summaries: [{ typeCode: "015", amount: -700n }],
    });
  });

  test("several records may stand on a line, and one over two lines", () => {
    const lines = [
      `${sample[0]}   ${sample[1]}`,
      ...sample.slice(2, 7),
      `${sample[7]} ${sample[8]}`,
      "16,890,,,,,NO MONEY",
      "IN THIS ONE/",
      `${sample[10]}  ${sample[11]} ${sample[12]}   ${sample[13]}`,
      `${sample[14]} ${sample[15]}`,
    ];
    expect(problemsOf(lines)).toEqual([
      "warning 9:1 a line should begin with a record code; it is read as part of line 8",
    ]);
    expect(check(lines)).toMatchObject({ valid: true, count: 5, credit: 2500, debit: 3000 });
  });

  test("several currencies have totals of their own", () => {
    const lines = change(12, "015/", "015,-700,,/")
      .with(12, "16,142,900,Z,,,DEPOSIT/")
      .with(13, "49,200,3/")
      .with(14, "98,210700,2,14/")
      .with(15, "99,210700,1,16/");
    expect(check(lines)).toMatchObject({
      problems: [],
      credit: null,
      debit: null,
      totals: { USD: { credit: 2500, debit: 3000 }, CAD: { credit: 900, debit: 0 } },
    });
  });

  test("the account's currency is its own, the group's, or USD", () => {
    const inGroup = [...readBai2(change(2, "USD", "AUD").join("\n"))];
    expect(inGroup.map(({ currency }) => currency)).toEqual([...Array(6).fill("AUD"), "CAD"]);
    expect([...readBai2(change(2, "USD", "").join("\n"))][0]?.currency).toBe("USD");
  });

  test.each([
    ["108", "credit"],
    ["399", "credit"],
    ["400", "debit"],
    ["699", "debit"],
    ["720", undefined],
    ["930", "credit"],
    ["970", "debit"],
    ["015", undefined],
  ])("type code %s is %s", (code, direction) => {
    const [, transaction] = readBai2(change(5, "142", code).join("\n"));
    expect(transaction).toMatchObject({ typeCode: code, direction });
  });

  test("no text makes the reader throw", () => {
    const text = sample.join("\n");
    const cases = fc.tuple(fc.nat(text.length), fc.nat(60), fc.string());
    fc.assert(
      fc.property(cases, ([from, length, insert]) => {
        const changed = text.slice(0, from) + insert + text.slice(from + length);
        expect(() => [...readBai2(changed)]).not.toThrow();
      }),
    );
  });
});

describe("problems", () => {
  test.each<[string, string[], string[]]>([
    [
      "control totals and numbers of records",
      sample.with(10, "49,210501,8/").with(14, "98,209801,3,15/").with(15, "99,209802,2,17/"),
      [
        "error 11:4 the control total must be 210500, but is 210501",
        "error 11:11 the number of records must be 9, but is 8",
        "error 15:4 the control total must be 209800, but is 209801",
        "error 15:11 the number of accounts must be 2, but is 3",
        "error 15:13 the number of records must be 14, but is 15",
        "error 16:4 the control total must be 209800, but is 209802",
        "error 16:11 the number of groups must be 1, but is 2",
        "error 16:13 the number of records must be 16, but is 17",
      ],
    ],
    [
      "controls that are missing or no numbers",
      sample.with(10, "49,,x/"),
      [
        "error 11:4 the control total must be given, but is empty",
        'error 11:5 the number of records must be digits, but is "x"',
      ],
    ],
    [
      "no trailers",
      sample.slice(0, 5),
      [
        "error 3:1 an account must end with an account trailer (49)",
        "error 2:1 a group must end with a group trailer (98)",
        "error 0:0 a file must end with a file trailer (99)",
      ],
    ],
    [
      "no headers",
      ["16,142,2000,Z,,,A/", "03,5550001,,/", "49,0,2/", "98,0,1,3/"],
      [
        "error 1:1 a file must begin with a file header (01)",
        "error 1:1 a transaction must be inside of an account (03)",
        "error 2:1 an account must be inside of a group (02)",
        "error 4:1 a group trailer must be inside of a group (02)",
        "error 0:0 a file must end with a file trailer (99)",
      ],
    ],
    [
      "trailer without its account",
      sample.toSpliced(10, 0, "49,210500,9/"),
      ["error 12:1 an account trailer must be inside of an account (03)"],
    ],
    [
      "records in the wrong place",
      [...sample, "01,021000021,ACME,261117,0700,7,80,1,2/"],
      [
        "error 17:1 nothing may follow the file trailer (99)",
        "error 17:1 a file must have one file header (01)",
      ],
    ],
    [
      "unknown records",
      ["88,LOST/", "00,0004,1/2/345,06/0321,0829,001,80,1,2/"],
      [
        "error 1:1 a file must begin with a file header (01)",
        "error 1:1 a continuation (88) must follow a record",
        "error 2:1 a record must begin with 01, 02, 03, 16, 49, 88, 98 or 99",
        "error 0:0 a file must end with a file trailer (99)",
      ],
    ],
    [
      "amounts, type codes and funds types",
      change(8, "475,1000,V,261116,0930", "47,10.00,X"),
      [
        'error 8:4 the type code must be 3 digits, but is "47"',
        'error 8:7 the amount must be digits with or without a sign, but is "10.00"',
        'error 8:13 the funds type must be 0, 1, 2, S, V, D, Z or empty, but is "X"',
        "error 11:4 the control total must be 209500, but is 210500",
        "error 15:4 the control total must be 208800, but is 209800",
        "error 16:4 the control total must be 208800, but is 209800",
      ],
    ],
    [
      "amounts that the books can't hold",
      change(8, "475,1000,", `475,00${"9".repeat(17)},`),
      [
        'error 8:8 the amount must be at most 9007199254740991, but is "…999"',
        "error 11:4 the control total must be 209500, but is 210500",
        "error 15:4 the control total must be 208800, but is 209800",
        "error 16:4 the control total must be 208800, but is 209800",
      ],
    ],
    [
      "type codes and items of balances, and account numbers",
      change(3, "5550001,,010,+100000,,,015", ",,10,+100000,x,,015"),
      [
        "error 3:4 the account number must be given, but is empty",
        'error 3:6 the type code must be 3 digits, but is "10"',
        'warning 3:17 the number of items should be digits, but is "x"',
      ],
    ],
    [
      "distributed amounts",
      change(6, "D,2,0,300,1,200", "D,2,0,300,1,100"),
      ["warning 6:8 the amount should be the sum of its available parts, 400, but is 500"],
    ],
    [
      "distributions that are no numbers",
      change(6, "D,2,0,300,1,200", "D,x"),
      [
        'error 6:14 the number of distributions must be digits, but is "x"',
        "warning 6:8 the amount should be the sum of its available parts, 0, but is 500",
      ],
    ],
    [
      "days of a distribution",
      change(6, "D,2,0,300,1,200", "D,2,a,300,1,200"),
      ['error 6:16 the number of days must be digits, but is "a"'],
    ],
    [
      "available amounts",
      change(5, "S,500,1000,500", "S,500,1000,x"),
      [
        'error 5:24 the available amount must be digits with or without a sign, but is "x"',
        "warning 5:8 the amount should be the sum of its available parts, 1500, but is 2000",
      ],
    ],
    [
      "signs",
      change(9, "2000", "+2000"),
      ['warning 9:8 the amount should be without a sign, but is "+2000"'],
    ],
    [
      "value dates",
      change(8, "261116,0930", "261131,2561"),
      [
        'warning 8:15 the value date should be a date as YYMMDD, but is "…131"',
        'warning 8:22 the value time should be a time as HHMM, but is "2561"',
      ],
    ],
    [
      "file header",
      sample.with(0, "01,,,26111,7am,,,,3/"),
      [
        "warning 1:4 the sender should be given, but is empty",
        "warning 1:5 the receiver should be given, but is empty",
        'warning 1:6 the creation date should be a date as YYMMDD, but is "…111"',
        'warning 1:12 the creation time should be a time as HHMM, but is "7am"',
        "warning 1:16 the file identification should be given, but is empty",
        'warning 1:19 the version should be 2, but is "3"',
      ],
    ],
    [
      "group header",
      sample.with(1, "02,ACME,,9,x,y,usd/"),
      [
        "warning 2:9 the originator should be given, but is empty",
        'warning 2:10 the group status should be 1 to 4, but is "9"',
        'warning 2:12 the as-of date should be a date as YYMMDD, but is "x"',
        'warning 2:14 the as-of time should be a time as HHMM, but is "y"',
        'warning 2:16 the currency should be one such as USD, but is "usd"',
      ],
    ],
    [
      "records without a slash",
      sample.with(13, "49,-700,3"),
      ["warning 14:10 a record should end with a slash"],
    ],
  ])("%s", (_, lines, problems) => {
    expect(problemsOf(lines)).toEqual(problems);
    const hasError = problems.some((problem) => problem.startsWith("error"));
    expect(check(lines)).toMatchObject({ format: "bai2", valid: !hasError });
  });
});
