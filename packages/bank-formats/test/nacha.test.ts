// NACHA files: written as the golden file is, read with their returns and changes, and read again as they were written.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkBankFile } from "../src/check.ts";
import { readNacha } from "../src/nacha/read.ts";
import { nachaFormat } from "../src/nacha/write.ts";
import {
  americanPayment,
  checkNacha,
  fileOf,
  golden,
  goldenPayments,
  nachaSettings,
  writeNacha,
} from "./nacha-lines.ts";
import { rewriteNacha } from "./nacha-rewrite.ts";
import { anyAmount, anyName, exampleFacts, writeFile } from "./payments.ts";

const entriesOf = (lines: readonly string[]) => [...readNacha(lines.join("\n"))];

describe("writing", () => {
  test("the golden file is written byte for byte", () => {
    expect(writeNacha(goldenPayments)).toBe(golden.map((line) => `${line}\r\n`).join(""));
  });

  test("the golden file is valid, with its count and sums", () => {
    expect(checkNacha(golden)).toEqual({
      format: "nacha",
      valid: true,
      problems: [],
      count: 3,
      credit: 1_000_012_549,
      debit: 0,
    });
  });

  test("the creation time is that of the clearing houses, and files of a day have other letters", () => {
    const facts = { ...exampleFacts(goldenPayments), sequence: 28 };
    const [header] = writeFile(nachaFormat, nachaSettings, goldenPayments, facts).split("\r\n");
    expect(header?.slice(23, 34)).toBe("26111522001");
    const next = { ...facts, sequence: 37 };
    expect(writeFile(nachaFormat, nachaSettings, goldenPayments, next)[33]).toBe("A");
  });

  test("the effective date is the banking day after the process date: standard settlement", () => {
    const beforeThanksgiving = exampleFacts(goldenPayments, "2026-11-25");
    const file = writeFile(nachaFormat, nachaSettings, goldenPayments, beforeThanksgiving);
    expect(file.split("\r\n")[1]?.slice(69, 75)).toBe("261127");
  });

  test("an origin of nine digits is written after a space", () => {
    const file = writeNacha(goldenPayments, { ...nachaSettings, immediateOrigin: "987654321" });
    expect(file.slice(3, 23)).toBe(" 021000021 987654321");
  });

  test("another payer's name opens another batch", () => {
    const file = writeNacha([
      americanPayment(),
      americanPayment({ statementName: "Café du Nord International" }),
      americanPayment({ statementName: "Café du Nord International" }),
    ]);
    const names = file.split("\r\n").filter((line) => line.startsWith("5"));
    expect(names.map((line) => line.slice(4, 20))).toEqual([
      "ACME PAYOUTS    ",
      "Cafe du Nord Int",
    ]);
    expect(checkBankFile(Buffer.from(file)).problems).toEqual([]);
  });

  test.each([
    ["currency", { currency: "AUD" }, "NACHA files carry USD only."],
    ["country", { country: "CAN" }, "NACHA files reach accounts in the United States only."],
    ["amount", { amount: 0n }, "NACHA files carry amounts from 0.01 to 99,999,999.99."],
    [
      "amount",
      { amount: 10_000_000_000n },
      "NACHA files carry amounts from 0.01 to 99,999,999.99.",
    ],
    [
      "bankCode",
      { bankCode: "011401534" },
      "A routing number has 9 digits, and the last one fits the others.",
    ],
    [
      "accountNumber",
      { accountNumber: "123456789012345678" },
      "NACHA files carry account numbers of up to 17 digits or letters.",
    ],
    [
      "payeeName",
      { payeeName: "\u0007" },
      "Nothing of the name can be written in the characters of NACHA files.",
    ],
    [
      "statementReference",
      { statementReference: " " },
      "Nothing of the reference can be written in the characters of NACHA files.",
    ],
  ])("a payment is refused for its %s, case %#", (field, changes, message) => {
    const problems = nachaFormat.problemsOf(americanPayment(changes), nachaSettings);
    expect(problems).toEqual([{ field, message }]);
  });

  test("whatever can be carried is read again with equal count, sum, accounts and amounts", () => {
    const payment = fc
      .record({
        amount: anyAmount(9_999_999_999n),
        payeeName: anyName,
        statementReference: anyName,
        statementName: fc.oneof({ weight: 5, arbitrary: fc.constant("") }, anyName),
        isBusiness: fc.boolean(),
        accountType: fc.constantFrom("checking" as const, "savings" as const),
        bankCode: fc.constantFrom("021000021", "011401533", "322271627"),
        accountNumber: fc.stringMatching(/^[0-9A-Z]{1,17}$/),
      })
      .map(americanPayment)
      .filter((one) => nachaFormat.problemsOf(one, nachaSettings).length === 0);
    fc.assert(
      fc.property(fc.array(payment, { minLength: 1, maxLength: 30 }), (payments) => {
        const file = writeNacha(payments);
        const report = checkBankFile(Buffer.from(file));
        expect(report.problems).toEqual([]);
        expect(report).toMatchObject({ format: "nacha", count: payments.length, debit: 0 });
        expect(BigInt(report.credit ?? 0)).toBe(exampleFacts(payments).total);
        const found = [...readNacha(file)].map((entry) => [
          entry.routingNumber,
          entry.accountNumber,
          entry.amount,
          entry.batch?.entryClass,
          entry.transactionCode,
        ]);
        expect(found).toEqual(
          payments.map((one) => [
            one.bankCode,
            one.accountNumber,
            one.amount,
            one.isBusiness ? "CCD" : "PPD",
            one.accountType === "savings" ? "32" : "22",
          ]),
        );
        expect(rewriteNacha(file)).toBe(file);
      }),
    );
  });
});

describe("reading", () => {
  test("entries come with their batch and file header", () => {
    const [, second, third] = entriesOf(golden);
    expect(second).toMatchObject({
      line: 4,
      transactionCode: "32",
      direction: "credit",
      amount: 2550n,
      routingNumber: "121000248",
      accountNumber: "000987654321",
      identification: "PO-0002",
      name: "JOSE MULLER",
      traceNumber: "021000020000002",
      addenda: [],
    });
    expect(third?.batch).toMatchObject({
      line: 6,
      entryClass: "CCD",
      companyId: "1987654321",
      odfi: "02100002",
    });
    expect(third?.batch?.file?.values.immediateOrigin).toBe("1987654321");
  });

  test.each(["\r\n", "\n", "\r", ""])("lines may end with %j", (end) => {
    expect(checkNacha(golden, end)).toMatchObject({ valid: true, problems: [], count: 3 });
  });

  test("a file without line ends is measured in bytes where its characters don't fill records", () => {
    const lines = golden.with(2, (golden[2] ?? "").replace("JANE CITIZEN  ", "JANE CITIZÉN "));
    expect(checkNacha(lines, "")).toMatchObject({ valid: true, count: 3, credit: 1_000_012_549 });
  });

  test("a return names its code and the original entry", () => {
    const lines = fileOf(
      "5200ACME PAYOUTS                        1987654321PPDPAYOUT          261117   1011401530000001",
      [
        "621011401533000123456789     0000010000PO-0001        JANE CITIZEN            1011401530000001",
        "799R03021000020000001      01140153                                            011401530000001",
      ],
      { hash: 1_140_153, credit: 10_000 },
    );
    expect(checkNacha(lines)).toMatchObject({ problems: [], count: 1, credit: 10_000, debit: 0 });
    const [entry] = entriesOf(lines);
    expect(entry?.addenda[0]).toMatchObject({
      line: 4,
      type: "99",
      kind: "return",
      values: { code: "R03", originalTraceNumber: "021000020000001", originalRdfi: "01140153" },
    });
  });

  test("a notification of change has corrected data, a refused one what was refused", () => {
    const lines = fileOf(
      "5220ACME PAYOUTS                        1987654321CORPAYOUT          000000   1011401530000001",
      [
        "621011401533000123456789     0000000000PO-0001        JANE CITIZEN            1011401530000001",
        "798C01021000020000001      0114015300012345678X                                011401530000001",
        "621011401533000123456789     0000000000PO-0001        JANE CITIZEN            1011401530000002",
        "798C62021000020000001      01140153000123456789                 C010000007     011401530000002",
      ],
      { hash: 2_280_306 },
    );
    expect(checkNacha(lines)).toMatchObject({ problems: [], count: 2, credit: 0 });
    const [change, refused] = entriesOf(lines);
    expect(change?.addenda[0]).toMatchObject({
      kind: "change",
      values: { code: "C01", correctedData: "00012345678X".padEnd(29) },
    });
    expect(refused?.addenda[0]).toMatchObject({
      kind: "refused_change",
      values: { code: "C62", changeCode: "C01", changeTraceSequence: "0000007" },
    });
  });

  test("dishonoured and contested returns name the returns before them", () => {
    const lines = fileOf(
      "5200ACME PAYOUTS                        1987654321PPDPAYOUT          261117   1011401530000001",
      [
        "622011401533000123456789     0000010000PO-0001        JANE CITIZEN            1011401530000001",
        "799R68021000020000001      01140153   01140153000000132103LATE                 011401530000001",
        "622011401533000123456789     0000010000PO-0001        JANE CITIZEN            1011401530000002",
        "799R73021000020000001261120011401533250114015300000013260302100002000000932768 011401530000002",
      ],
      { hash: 2_280_306, credit: 20_000 },
    );
    expect(checkNacha(lines).problems).toEqual([]);
    const [dishonoured, contested] = entriesOf(lines);
    expect(dishonoured?.addenda[0]).toMatchObject({
      kind: "dishonoured_return",
      values: { code: "R68", returnTraceNumber: "011401530000001", returnCode: "03" },
    });
    expect(contested?.addenda[0]).toMatchObject({
      kind: "contested_return",
      values: {
        code: "R73",
        returnedOn: "261120",
        returnTraceNumber: "011401530000001",
        dishonouredTraceNumber: "021000020000009",
        dishonouredCode: "68",
      },
    });
  });

  test("an international entry and its return are read by their own layouts", () => {
    const lines = fileOf(
      "5220                FF3               CA1987654321IATTRADEPAYMTUSDCAD261117   1021000020000001",
      internationalEntry,
      { hash: 1_140_153, credit: 10_000 },
    );
    expect(checkNacha(lines)).toMatchObject({ problems: [], count: 1, credit: 10_000 });
    const [entry] = entriesOf(lines);
    expect(entry).toMatchObject({ accountNumber: "CA-55-123", name: "", amount: 10_000n });
    expect(entry?.addenda.at(-1)?.values).toMatchObject({
      code: "R82",
      originalAmount: "0000010000",
      information: "NOT FOUND".padEnd(34),
    });
  });

  test("advices have amounts of 12 digits, totals of 20, and their own codes", () => {
    const lines = [
      golden[0] ?? "",
      "5280FEDERAL RESERVE                     1987654321ADVADVICE          261117   0021000020000001",
      "681011401533000123456789   00000001000001140153300001 NAME                    0021000020500001",
      "682011401533000123456789   00000000040001140153300001 NAME                    0021000020500002",
      "828000000200022803060000000000000000040000000000000000010000FEDERAL RESERVE    021000020000001",
      "90000010000010000000200022803060000000000000000040000000000000000010000                       ",
      ...Array.from({ length: 4 }, () => "9".repeat(94)),
    ];
    expect(checkNacha(lines)).toMatchObject({
      problems: [],
      count: 2,
      credit: 10_000,
      debit: 400,
    });
  });

  test("CTX entries say how many addenda follow", () => {
    const lines = fileOf(
      "5225ACME PAYOUTS                        1987654321CTXINVOICES        261117   1021000020000001",
      [
        "627011401533000123456789     0000010000INV 77         0002O'BRIEN & SONS    001021000020000001",
        "705INVOICE 77                                                                      00010000001",
        "705INVOICE 78                                                                      00020000001",
      ],
      { hash: 1_140_153, debit: 10_000 },
    );
    expect(checkNacha(lines)).toMatchObject({ problems: [], count: 1, debit: 10_000 });
    expect(entriesOf(lines)[0]?.name).toBe("O'BRIEN & SONS");
  });

  test("prenotifications move nothing", () => {
    const lines = fileOf(
      golden[1] ?? "",
      [
        "623011401533000123456789     0000000000PO-0001        JANE CITIZEN            0021000020000001",
      ],
      { hash: 1_140_153 },
    );
    expect(checkNacha(lines)).toMatchObject({ problems: [], count: 1, credit: 0 });
  });

  test("no text makes the reader throw, and every cut of a file is refused", () => {
    const text = golden.join("\n");
    const cases = fc.tuple(fc.nat(text.length), fc.nat(text.length), fc.string());
    fc.assert(
      fc.property(cases, ([from, length, insert]) => {
        const changed = text.slice(0, from) + insert + text.slice(from + length);
        expect(() => [...readNacha(changed)]).not.toThrow();
      }),
    );
    for (let lines = 1; lines < 9; lines += 1) {
      expect(checkNacha(golden.slice(0, lines)).valid).toBe(false);
    }
  });
});

const internationalEntry = [
  "6220114015330008             0000010000CA-55-123                              1021000020000001",
  "710BUS000000000000010000                      JANE CITIZEN                             0000001",
  "711ACME PAYOUTS INC                   1 MAIN STREET                                    0000001",
  "712SPRINGFIELD*IL\\                    US*62701\\                                        0000001",
  "713EXAMPLE BANK                       01021000021                         US           0000001",
  "714NORTHERN BANK                      01000300001                         CA           0000001",
  "715RECEIVER-1     9 FRONT STREET                                                       0000001",
  "716TORONTO*ON\\                        CA*M5V1A1\\                                       0000001",
  "799R82021000020000001      011401530000010000NOT FOUND                         021000020000001",
];
