// Tables and records of commands: as they are in a pipe, and fitted to a terminal.

import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { headingOf, recordOf, tableOf } from "../../../src/doors/cli/table.ts";

const id = "01a1f4d9-4d4a-70a5-9a52-e5d756f1b32a";
const names = ["id", "amount", "status", "reference"];
const rows = [
  [id, "99.00 AUD", "failed", "invoice 99 of the month of November"],
  [id, "1,250.50 AUD", "successful", "-"],
];
const plain = (columns: number) => ({ columns, colour: false });

test("without a terminal a table is as wide as its texts, and nothing is aligned or coloured", () => {
  expect(tableOf(names, rows).split("\n")).toEqual([
    "id                                    amount        status      reference",
    `${id}  99.00 AUD     failed      invoice 99 of the month of November`,
    `${id}  1,250.50 AUD  successful  -`,
  ]);
  expect(recordOf([["mode", "live"]])).toBe("mode  live");
  expect(headingOf("History")).toBe("History");
});

test("on a terminal texts are cut to its width, and amounts are aligned to the right", () => {
  expect(tableOf(names, rows, plain(82)).split("\n")).toEqual([
    "id                                          amount  status      reference",
    `${id}     99.00 AUD  failed      invoice 99 of the…`,
    `${id}  1,250.50 AUD  successful  -`,
  ]);
});

test.each([
  ["an id", id],
  ["an id after a word", `payout ${id}`],
  ["a key", "ak_test_Vcs8tdzJivOVBfgCh9iMSft6"],
  ["a hash", "a".repeat(64)],
  ["an amount", "123,456,789,012.00 AUD"],
  ["a time", "2026-11-19T17:27:27.054Z"],
  ["an email address", "somebody.with.a.long.name@example.com"],
])("%s is never cut: records that do not fit are printed one below the other", (_, cell) => {
  const table = tableOf(["value", "note"], [[cell, "x".repeat(99)]], plain(19));
  expect(table).toBe(`value  ${cell}\nnote   ${"x".repeat(99)}`);
  const two = tableOf(["value"], [[cell], [cell]], plain(19));
  expect(two).toBe(`value  ${cell}\n\nvalue  ${cell}`);
});

test("ids of other objects give way before the table does, and times are shown to the second", () => {
  const payout = [id, "99.00 AUD", id, "2026-11-19T17:27:27.054Z"];
  const all = ["id", "amount", "receiver_id", "created_at"];
  expect(tableOf(all, [payout], plain(80)).split("\n")).toEqual([
    "id                                       amount  created_at",
    `${id}  99.00 AUD  2026-11-19 17:27:27Z`,
    "Without receiver_id: too wide",
  ]);
  expect(tableOf(all, [payout], plain(120)).split("\n")).toHaveLength(2);
});

test("the end of a text is cut after an id, and no half number is left", () => {
  const table = tableOf(["text"], [[`refused ${id} of yesterday`]], plain(46));
  expect(table).toBe(`text\nrefused ${id} …`);
  const texts = [["refunds the invoices 1250 and 17"]];
  expect(tableOf(["text"], texts, plain(24))).toBe("text\nrefunds the invoices …");
});

test("counts are aligned to the right, and digits that count nothing are not", () => {
  const numbers = [
    ["2", "733000", "7"],
    ["10", "733001", "12"],
  ];
  expect(tableOf(["payouts", "bsb", "reference"], numbers, plain(80)).split("\n")).toEqual([
    "payouts  bsb     reference",
    "      2  733000  7",
    "     10  733001  12",
  ]);
});

test("no line is wider than the terminal, also with wide characters and combining marks", () => {
  const texts = ["山田太郎".repeat(9), "e\u0301".repeat(40), "👩‍👩‍👧‍👦".repeat(20)];
  const table = tableOf(
    ["id", "name"],
    texts.map((text) => [id, text]),
    plain(60),
  );
  expect(table.split("\n").slice(1)).toEqual([
    `${id}  ${"山田太郎".repeat(2)}山田…`,
    `${id}  ${"e\u0301".repeat(21)}…`,
    `${id}  ${"👩‍👩‍👧‍👦".repeat(10)}…`,
  ]);
});

test("colour changes no text: headings are bold, names dim, and states of problems coloured", () => {
  const columns = 82;
  const coloured = tableOf(names, rows, { columns, colour: true });
  expect(coloured).toContain("\u001B[31mfailed\u001B[39m");
  expect(coloured).not.toContain("\u001B[31msuccessful");
  expect(stripVTControlCharacters(coloured)).toBe(tableOf(names, rows, plain(columns)));
  const record = recordOf([["stage", "on_hold"]], { columns, colour: true });
  expect(record).toBe("\u001B[2mstage\u001B[22m  \u001B[33mon_hold\u001B[39m");
});
