// Statements that the bank simulator writes, which shares nothing with our readers: all formats tell the same.

import { expect, test } from "vitest";
import { guessCsvMapping } from "../../bank-formats/src/csv-statement/guess.ts";
import { isValid } from "../../bank-formats/src/report.ts";
import { readStatement, type StatementOptions } from "../../bank-formats/src/statement.ts";
import type { StatementEnd, StatementLine } from "../../bank-formats/src/statement-records.ts";
import { writeBai2Statement } from "../src/bai2-statement.ts";
import { type Booking, changeOf } from "../src/bookings.ts";
import { camtVersions, writeCamtStatement, writeReturnNotification } from "../src/camt-message.ts";
import { writeCsvStatement } from "../src/csv-statement.ts";
import type { BankInstruction } from "../src/instruction-file.ts";

const atMs = Date.UTC(2026, 10, 17, 12);
const day = "2026-11-17";
const account = { bank: "062000", account: "12345678", currency: "AUD" };
const payoutId = "01900000000070008000000000000001";

const instruction = {
  number: 1,
  id: payoutId,
  instructionId: payoutId,
  name: "Jane Citizen",
  account: "111222333",
  amount: 5_000n,
  reference: "PO-1",
} as BankInstruction;

const booking = { atMs, date: day, messageId: "" };
const bookings: Booking[] = [
  {
    ...booking,
    key: "F1",
    direction: "debit",
    amount: 120_000n,
    reference: "SIM1",
    messageId: "FILE-1",
    subject: { kind: "file", count: 12 },
  },
  {
    ...booking,
    key: "P1",
    direction: "debit",
    amount: 5_000n,
    reference: "SIM1P1",
    messageId: "FILE-2",
    subject: { kind: "payment", instruction },
  },
  {
    ...booking,
    key: "R1",
    direction: "credit",
    amount: 5_000n,
    reference: "SIM1R1",
    subject: { kind: "return", instruction, code: "AC04", cause: "Account closed" },
  },
  {
    ...booking,
    key: "D1",
    direction: "credit",
    amount: 70_001n,
    reference: "SIMD1",
    subject: {
      kind: "deposit",
      from: "Acme Pty",
      text: "please fund K7M2Q4X9AB with this and more words",
    },
  },
  {
    ...booking,
    key: "C1",
    direction: "debit",
    amount: 25n,
    reference: "SIMC1",
    subject: { kind: "charge", text: "File fee" },
  },
];
const opening = -100_00n;
const closing = bookings.reduce((balance, one) => balance + changeOf(one), opening);
const facts = { sequence: 7, day, opening, closing };

function read(text: string, options?: StatementOptions) {
  const lines: StatementLine[] = [];
  const ends: StatementEnd[] = [];
  const records = readStatement(text, options);
  for (;;) {
    const { done, value } = records.next();
    if (done) {
      expect(isValid(value), JSON.stringify(value.problems)).toBe(true);
      return { lines, ends };
    }
    if (value.kind === "line") lines.push(value);
    else ends.push(value);
  }
}

const camtOf = (version: (typeof camtVersions)[number]) =>
  writeCamtStatement({ id: "STMT-7", atMs, account, version }, facts, bookings);
const csv = writeCsvStatement(account, facts, bookings);

const files: [string, string, StatementOptions][] = [
  ...camtVersions.map((version): [string, string, StatementOptions] => [
    `camt.053.001.${version}`,
    camtOf(version),
    {},
  ]),
  ["BAI2", writeBai2Statement(account, { ...facts, atMs }, bookings), {}],
  ["CSV", csv, { csv: guessCsvMapping(csv).mapping }],
];

test.each(files)("%s has the bookings, the balances and the references", (_, text, options) => {
  const { lines, ends } = read(text, options);
  expect(lines.map(({ amount, day: booked, currency }) => [amount, booked, currency])).toEqual(
    bookings.map((one) => [changeOf(one), day, "AUD"]),
  );
  expect(lines.map(({ bankReference }) => bankReference)).toEqual(
    bookings.map(({ reference }) => reference),
  );
  expect(ends).toMatchObject([
    { form: "statement", currency: "AUD", fromDay: day, toDay: day, opening, closing, lines: 5 },
  ]);
  const [file, payment, back, deposit] = lines;
  expect([file?.messageId, file?.customerReference]).toContain("FILE-1");
  expect([payment?.endToEndId, payment?.customerReference]).toContain(payoutId);
  expect([back?.endToEndId, back?.customerReference]).toContain(payoutId);
  expect(deposit?.text).toContain("K7M2Q4X9AB");
});

test.each(camtVersions)(
  "camt version %s tells a return with its reason and its payee",
  (version) => {
    expect(read(camtOf(version)).lines[2]).toMatchObject({
      returnReason: { code: "AC04", text: "Account closed" },
      partyName: "Jane Citizen",
      partyAccount: "111222333",
      instructionId: payoutId,
    });
  },
);

test("a return has the same key in the notification and in the statement", () => {
  for (const version of camtVersions) {
    const id = { id: "NTF-1", atMs, account, version };
    const told = read(writeReturnNotification(id, bookings.slice(2, 3)));
    expect(told.ends).toMatchObject([{ form: "notification", lines: 1 }]);
    expect(told.lines[0]?.entryKey).toBe(read(camtOf(version)).lines[2]?.entryKey);
  }
});
