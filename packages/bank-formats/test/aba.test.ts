// ABA files: written as the vectors are, read with every problem found, and read again as they were written.

import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readAba } from "../src/aba/read.ts";
import type { AbaRecord } from "../src/aba/records.ts";
import { type AbaSettings, abaFormat } from "../src/aba/write.ts";
import { checkBankFile } from "../src/check.ts";
import {
  balanced,
  checkLines,
  credit,
  header,
  put,
  returned,
  secondCredit,
  single,
  trailerOf,
} from "./aba-lines.ts";
import { anyAmount, anyName, exampleFacts, examplePayment, writeFile } from "./payments.ts";

const settings: AbaSettings = {
  mnemonic: "CBA",
  userId: "301500",
  userName: "ACME PAYOUTS PTY LTD",
  bsb: "062000",
  accountNumber: "12345678",
  description: "PAYOUTS",
  remitter: "ACME PAYOUTS",
  isBalanced: true,
};

const payments = [
  examplePayment(),
  examplePayment({
    bsb: "062000",
    accountNumber: "001234",
    amount: 2550n,
    payeeName: "O'BRIEN & SONS PTY LTD",
    statementReference: "PO-0002",
  }),
];

function recordsOf(...lines: string[]): AbaRecord[] {
  return [...readAba(lines.join("\n"))];
}

describe("writing", () => {
  test("a balanced file is the published vector, byte for byte", () => {
    const file = writeFile(abaFormat, settings, payments);
    expect(file).toBe(balanced.map((line) => `${line}\r\n`).join(""));
    expect(createHash("sha256").update(file).digest("hex")).toBe(
      "3ef6438eba152ce9e569da6df174f622d625f39696d788d07c8e8f82d519d1d8",
    );
  });

  test("a file that is not balanced ends with its credits", () => {
    const file = writeFile(abaFormat, { ...settings, isBalanced: false }, payments);
    const end = trailerOf({ credit: 12_550, count: 2 });
    expect(file.split("\r\n")).toEqual([header, credit, secondCredit, end, ""]);
  });

  test("the subaccount's name is the remitter where it has one", () => {
    const file = writeFile(abaFormat, settings, [
      examplePayment({ statementName: "Möbel GmbH & Co KG" }),
    ]);
    expect(file.split("\r\n")[1]?.slice(96, 112)).toBe("Mobel GmbH & Co ");
  });

  test.each([
    ["currency", { currency: "NZD" }, "ABA files carry AUD only."],
    ["country", { country: "NZL" }, "ABA files reach accounts in Australia only."],
    ["amount", { amount: 0n }, "ABA files carry amounts from 0.01 to 99,999,999.99."],
    ["amount", { amount: 10_000_000_000n }, "ABA files carry amounts from 0.01 to 99,999,999.99."],
    ["bsb", { bsb: "83047" }, "A BSB has 6 digits."],
    [
      "accountNumber",
      { accountNumber: "1234567890" },
      "ABA files carry account numbers of up to 9 digits or letters.",
    ],
    [
      "accountNumber",
      { accountNumber: "000000" },
      "ABA files carry account numbers of up to 9 digits or letters.",
    ],
    [
      "payeeName",
      { payeeName: '";"' },
      "Nothing of the name can be written in the characters of ABA files.",
    ],
    [
      "statementReference",
      { statementReference: "\u0000" },
      "Nothing of the reference can be written in the characters of ABA files.",
    ],
  ])("a payment is refused for its %s, case %#", (field, changes, message) => {
    const problems = abaFormat.problemsOf(examplePayment(changes), settings);
    expect(problems).toEqual([{ field, message }]);
  });

  test("a payment that fits is not refused, and hyphens are left out", () => {
    const payment = examplePayment({ accountNumber: "12-345-678" });
    expect(abaFormat.problemsOf(payment, settings)).toEqual([]);
    expect(writeFile(abaFormat, settings, [payment])).toContain("083-047 12345678 50");
  });

  test("an amount beyond the limits stops the writer instead of shifting the fields after it", () => {
    const tooMuch = examplePayment({ amount: 10_000_000_000n });
    expect(() => writeFile(abaFormat, settings, [tooMuch])).toThrow(RangeError);
  });
});

describe("reading", () => {
  test.each(["\r\n", "\n", "\r", "\n\r"])("lines may end with %j", (end) => {
    expect(checkLines(balanced, end)).toEqual({
      format: "aba",
      valid: true,
      problems: [],
      count: 3,
      credit: 12_550,
      debit: 12_550,
    });
  });

  test("empty lines and the old end-of-file character may follow the last record", () => {
    expect(checkLines([...balanced, "", "   ", "\u001a"]).problems).toEqual([]);
  });

  test("a header may name our account and a time, and a file may hold several batches", () => {
    const named = put(put(header, 2, "062-000 12345678"), 81, "0930");
    expect(
      checkLines([
        named,
        credit,
        single,
        header,
        secondCredit,
        trailerOf({ credit: 2550, count: 1 }),
      ]),
    ).toMatchObject({
      problems: [],
      count: 2,
      credit: 12_550,
    });
  });

  test("a bank's sample with an unusual name and leading zeros in the user ID is read", () => {
    const lines = [
      "0                 01ANZ       Allowasa Pertolio Accounti001234Credits Of T180320                                        ",
      "1061-021   123456 500000001200Georgian Council of New South WaInvoice # 1234    061-123  1234567Acme Inc        00000000",
      "7999-999            000000120000000012000000000000                        000001                                        ",
    ];
    expect(checkLines(lines)).toMatchObject({ valid: true, count: 1, credit: 1200, debit: 0 });
    expect(recordsOf(...lines)).toEqual([
      {
        kind: "header",
        line: 1,
        bsb: "",
        account: "",
        mnemonic: "ANZ",
        userName: "Allowasa Pertolio Accounti",
        userId: "001234",
        description: "Credits Of T",
        processDate: "2020-03-18",
      },
      {
        kind: "payment",
        line: 2,
        bsb: "061021",
        account: "123456",
        indicator: "",
        transactionCode: "50",
        direction: "credit",
        amount: 1200n,
        title: "Georgian Council of New South Wa",
        reference: "Invoice # 1234",
        traceBsb: "061123",
        traceAccount: "1234567",
        remitter: "Acme Inc",
        withholdingTax: 0n,
      },
    ]);
  });

  test("payments and returns stand in one file, and all are counted", () => {
    const lines = [
      header,
      "1342-342  3244654 500000000030John Doe                        R435564           453-543 45656733Remitter        00000000",
      "1342-342  3244654 130000000020John Doe                        R435564           453-543 45656733Remitter        00000000",
      "2453-543 456567338500000000003John Doe                        R435564           342-342  3244654Remitter        12654321",
      "2453-543 456567336130000000002John Doe                        R435564           342-342  3244654Remitter        12654321",
      "7999-999            000000001100000000330000000022                        000004                                        ",
    ];
    expect(checkLines(lines)).toMatchObject({ valid: true, count: 4, credit: 33, debit: 22 });
  });

  test("five debits and the credit that balances them add up", () => {
    const debits = [1, 2, 3, 4, 5].map((at) =>
      put(put(put(credit, 19, "13"), 21, "0000000001"), 63, `PO-${at}`),
    );
    const lines = [
      header,
      ...debits,
      put(credit, 21, "0000000005"),
      trailerOf({ credit: 5, debit: 5, count: 6 }),
    ];
    expect(lines.at(-1)).toContain("999-999            000000000000000000050000000005  ");
    expect(checkLines(lines)).toMatchObject({ valid: true, count: 6, credit: 5, debit: 5 });
  });

  test("four credits of another sample add up to 31,292.47", () => {
    const amounts = [1234, 2200, 3_123_513, 2300];
    const credits = amounts.map((cents) => put(credit, 21, String(cents).padStart(10, "0")));
    const end = trailerOf({ credit: 3_129_247, count: 4 });
    expect(end.slice(20, 40)).toBe("00031292470003129247");
    expect(checkLines([header, ...credits, end])).toMatchObject({
      valid: true,
      count: 4,
      credit: 3_129_247,
    });
  });

  test("a return names our account first, and the payee's as the trace account", () => {
    const line =
      "2092-9146459342436130000002000XXXXX XXXXXXXXX                 1030239591402     112-949492994933XXXXXX XXXXXXXXX24614409";
    expect(recordsOf(line)).toEqual([
      {
        kind: "return",
        line: 1,
        returnCode: "6",
        transactionCode: "13",
        direction: "debit",
        amount: 2000n,
        title: "XXXXX XXXXXXXXX",
        reference: "1030239591402",
        ourBsb: "092914",
        ourAccount: "645934243",
        payeeBsb: "112949",
        payeeAccount: "492994933",
        remitter: "XXXXXX XXXXXXXXX",
        originalDay: "24",
        originalUserId: "614409",
      },
    ]);
    const other =
      "2123-234  46476428530000050050John Doe                        R45343            345-453 23432342Remitter        07054321";
    expect(recordsOf(other)).toMatchObject([
      { returnCode: "8", amount: 50_050n, originalDay: "07", originalUserId: "054321" },
    ]);
  });

  test("payment after payment is read, however many there are", () => {
    const many = Array.from({ length: 100_000 }, (_, at) => put(credit, 63, `PO-${at}`.padEnd(18)));
    const lines = [header, ...many, trailerOf({ credit: 1_000_000_000, count: 100_000 })];
    expect(checkLines(lines)).toMatchObject({ valid: true, count: 100_000, credit: 1_000_000_000 });
  });
});

const anyPayment = fc
  .record({
    amount: anyAmount(99_999_999n),
    bsb: fc.stringMatching(/^[0-9]{6}$/),
    accountNumber: fc.stringMatching(/^[1-9][0-9A-Za-z]{4,8}$/),
    payeeName: anyName,
    statementReference: anyName,
    statementName: fc.oneof(fc.constant(""), anyName),
  })
  .map((changes) => examplePayment(changes))
  .filter((payment) => abaFormat.problemsOf(payment, settings).length === 0);

test("the reader finds every file of the writer valid, with the same payments", () => {
  fc.assert(
    fc.property(
      fc.array(anyPayment, { minLength: 1, maxLength: 20 }),
      fc.boolean(),
      anyName,
      (payments, isBalanced, userName) => {
        const ours = { ...settings, isBalanced, userName: `ACME ${userName}` };
        const file = writeFile(abaFormat, ours, payments);
        const { total } = exampleFacts(payments);
        expect(checkBankFile(new TextEncoder().encode(file))).toMatchObject({
          format: "aba",
          valid: true,
          count: payments.length + (isBalanced ? 1 : 0),
          credit: Number(total),
          debit: isBalanced ? Number(total) : 0,
        });
        const read = recordsOf(...file.split("\r\n")).slice(1, payments.length + 1);
        expect(read).toMatchObject(
          payments.map(({ amount, bsb, accountNumber }) => ({
            amount,
            bsb,
            account: accountNumber,
          })),
        );
      },
    ),
  );
});

test("reading any bytes never throws", () => {
  const pieces = fc.oneof(
    fc.constantFrom(...balanced, returned, "\r\n", "\n"),
    fc.string({ unit: "binary" }),
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
      [...readAba(parts.join(""))];
    }),
  );
});
