// Lines of BAI2 files: ledger balances, directions, value dates, and groups that must not be booked.

import { describe, expect, test } from "vitest";
import { readWhole } from "./read-whole.ts";

/** A file with one account. Its controls are computed. */
function fileOf(
  account: string,
  transactions: readonly string[],
  group = "1,261116,2400,USD,2",
): string {
  const total = [account, ...transactions]
    .flatMap((record) => {
      const fields = record.split(",");
      return record.startsWith("16") ? [fields[2]] : amountsIn(fields);
    })
    .reduce((sum, amount) => sum + BigInt(amount || "0"), 0n);
  const records = transactions.length + 2;
  return [
    "01,021000021,ACME,261117,0700,7,80,1,2/",
    `02,ACME,021000021,${group}/`,
    `${account}/`,
    ...transactions.map((record) => `${record}/`),
    `49,${total},${records}/`,
    `98,${total},1,${records + 2}/`,
    `99,${total},1,${records + 4}/`,
  ].join("\n");
}

/** Balances of an account: type code, amount, items and funds type. */
function amountsIn(fields: readonly string[]): string[] {
  const found: string[] = [];
  for (let at = 4; at < fields.length; at += 4) found.push(fields[at] ?? "0");
  return found;
}

const transactions = [
  "16,142,2000,S,500,1000,500,BANK1,CUST1,PAYMENT FROM A, B",
  "16,475,500,V,261118,0930,,77,CHECK 77",
  "16,890,,,,,NO MONEY IN THIS ONE",
  "16,451,0,0,,,NOTHING",
];

test("each transaction that moves money is a line, and the account a statement of its day", () => {
  const account = "03,5550001,,010,100000,,,015,101500,,";
  const { lines, ends, errors } = readWhole(fileOf(account, transactions));
  expect(errors).toEqual([]);
  expect(lines).toMatchObject([
    {
      place: { line: 4, column: 1 },
      account: "5550001",
      day: "2026-11-16",
      valueDay: "",
      amount: 2_000n,
      currency: "USD",
      code: "142",
      bankReference: "BANK1",
      customerReference: "CUST1",
      text: "PAYMENT FROM A, B",
      entryReference: "BANK1",
      entryLines: 1,
    },
    { day: "2026-11-16", valueDay: "2026-11-18", amount: -500n, customerReference: "77" },
  ]);
  expect(ends).toEqual([
    {
      kind: "statement",
      place: { line: 3, column: 1 },
      form: "statement",
      account: "5550001",
      currency: "USD",
      bankId: "",
      sequence: "",
      fromDay: "2026-11-16",
      toDay: "2026-11-16",
      opening: 100_000n,
      closing: 101_500n,
      lines: 2,
    },
  ]);
});

describe("balances", () => {
  test.each([
    ["opening and closing ledger", "010,10,,,015,1510,,", 10n, 1_510n],
    ["available ones are not ledger balances", "040,10,,,045,1510,,", undefined, undefined],
    ["the opening follows from the closing and the lines", "015,1510,,", 10n, 1_510n],
    [
      "also where the totals are those of the lines",
      "015,1510,,,100,2000,1,,400,500,1,",
      10n,
      1_510n,
    ],
    ["not where the totals show other transactions", "015,1510,,,100,9000,3,", undefined, 1_510n],
    [
      "not where a part of the totals is larger than the lines",
      "015,1510,,,190,9000,1,",
      undefined,
      1_510n,
    ],
    ["the closing is never computed", "010,10,,", 10n, undefined],
  ])("%s", (_, balances, opening, closing) => {
    const { ends, errors } = readWhole(fileOf(`03,5550001,,${balances}`, transactions));
    expect(errors).toEqual([]);
    expect(ends[0]).toMatchObject({ opening, closing });
  });
});

test.each([
  ["an update, final", "1,261116,2400,USD,2", "statement"],
  ["a correction", "3,261116,2400,USD,2", "statement"],
  ["without a modifier", "1,261116,2400,USD", "statement"],
  ["interim figures of the day", "1,261116,1200,USD,3", "report"],
  ["a deletion", "2,261116,2400,USD,2", "report"],
  ["a test", "4,261116,2400,USD,2", "report"],
])("a group that is %s gives a %s", (_, group, form) => {
  const { ends } = readWhole(fileOf("03,5550001,,015,1510,,", transactions, group));
  expect(ends[0]).toMatchObject({ form });
});

test("returned payments and reversals are marked by their codes", () => {
  const records = ["16,257,100,0,B1,C1,RETURN", "16,252,50,0,B2,,REVERSAL", "16,142,1,0,,,PLAIN"];
  const { lines } = readWhole(fileOf("03,5550001,,015,0,,", records));
  expect(
    lines.map(({ returnReason, isReversal }) => [returnReason !== undefined, isReversal]),
  ).toEqual([
    [true, false],
    [false, true],
    [false, false],
  ]);
});

test("equal transactions are numbered, and the same file gives the same keys", () => {
  const twice = ["16,142,100,0,B,C,SAME", "16,142,100,0,B,C,SAME", "16,142,100,0,B,C,OTHER"];
  const keys = readWhole(fileOf("03,5550001,,015,0,,", twice)).lines.map(
    ({ entryKey }) => entryKey,
  );
  expect(new Set(keys).size).toBe(3);
  const one = readWhole(fileOf("03,5550001,,015,0,,", twice.slice(0, 1))).lines[0]?.entryKey;
  expect(keys[0]).toBe(one);
});
