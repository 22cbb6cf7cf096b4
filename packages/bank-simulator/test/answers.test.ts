// What the bank simulator sends: acknowledgements, statuses, returns and statements, each valid for the service's readers.

import { describe, expect, test } from "vitest";
import { readAba } from "../../bank-formats/src/aba/read.ts";
import { checkBankFile } from "../../bank-formats/src/check.ts";
import { readIsoMessage } from "../../bank-formats/src/iso/iso-messages.ts";
import { readNacha } from "../../bank-formats/src/nacha/read.ts";
import { answersTo } from "../src/answers.ts";
import { bookingModes } from "../src/bookings.ts";
import { accountStatements, statementFormats } from "../src/statements.ts";
import { answersByEnd, decide, filesOfFormats, receivedMs } from "./files.ts";

const check = (text: string) => checkBankFile(Buffer.from(text));
const fileOf = (format: string) => filesOfFormats[format] ?? "";
const formats = Object.keys(filesOfFormats);

test.each(formats)("%s: all answers are valid files, without a warning", (format) => {
  const ways = statementFormats
    .filter((statements) => statements !== "csv")
    .flatMap((statements) => bookingModes.map((booking) => ({ statements, booking })));
  for (const way of ways) {
    const answers = answersByEnd(fileOf(format), { ...way, chargePerFile: "1.50" });
    const kinds = Object.keys(answers).filter((name) => name !== "ack.txt");
    expect(kinds.length).toBeGreaterThanOrEqual(3);
    for (const name of kinds) {
      expect([name, check(answers[name] ?? "").problems]).toEqual([name, []]);
    }
  }
});

test.each(formats.filter((format) => !format.startsWith("pain.")))(
  "%s: the acknowledgement is a text with count, total and the bank's reference",
  (format) => {
    const { "ack.txt": text = "" } = answersByEnd(fileOf(format));
    expect(text).toContain(`Format:         ${format}\r\n`);
    expect(text).toMatch(/Status: {9}ACCEPTED\r\nBank reference: SIM[0-9A-F]{12}\r\n/);
    expect(text).toMatch(/Payments: {7}6\r\nTotal: {10}210\.00 [A-Z]{3}\r\n/);
  },
);

test("aba: rejected payments come back first, the returned one later, with the accounts swapped", () => {
  const answers = answersByEnd(fileOf("aba"));
  expect(Object.keys(answers)).toEqual(["ack.txt", "returns-1.aba", "returns-2.aba"]);
  const returns = (name: string) =>
    [...readAba(answers[name] ?? "")].flatMap((record) =>
      record.kind === "return"
        ? [[record.returnCode, record.payeeAccount, record.amount, record.reference]]
        : [],
    );
  expect(returns("returns-1.aba")).toEqual([
    ["3", "12345111", 2000n, "PO-0001"],
    ["5", "12345222", 3000n, "PO-0002"],
    ["1", "12345333", 4000n, "PO-0003"],
  ]);
  expect(returns("returns-2.aba")).toEqual([["3", "12345444", 5000n, "PO-0004"]]);
  expect(answers["returns-2.aba"]).toContain("\r\n2062-000 876543213500000005000Payee E");
  expect(answers["returns-2.aba"]).toContain("083-047 12345444Acme Payouts    17301500\r\n");
});

test("nacha: returns name the original trace number, in the batch of the class that they answer", () => {
  const answers = answersByEnd(fileOf("nacha"));
  const returns = (name: string) =>
    [...readNacha(answers[name] ?? "")].map(({ transactionCode, batch, amount, addenda }) => [
      transactionCode,
      batch?.entryClass,
      amount,
      addenda.map((one) => JSON.stringify(one)).join(),
    ]);
  const first = returns("returns-1.ach");
  expect(first.map(([code, entryClass, amount]) => [code, entryClass, amount])).toEqual([
    ["21", "PPD", 2000n],
    ["21", "PPD", 3000n],
    ["21", "PPD", 4000n],
  ]);
  expect(String(first[0]?.[3])).toMatch(/R02.*021000020000002/);
  expect(returns("returns-2.ach")).toEqual([
    ["21", "CCD", 5000n, expect.stringMatching(/R02.*021000020000005/)],
  ]);
});

test.each(["nz-anz", "nz-bnz", "nz-asb", "nz-westpac"])(
  "%s: returns are camt.054 with the payee's account and reference",
  (format) => {
    const answers = answersByEnd(fileOf(format));
    expect(Object.keys(answers)).toEqual(["ack.txt", "returns-1.xml", "returns-2.xml"]);
    expect(check(answers["returns-1.xml"] ?? "")).toMatchObject({ count: 3, credit: 9000 });
    const last = answers["returns-2.xml"] ?? "";
    expect(last).toContain("<Id>0109020312345444</Id>");
    expect(last).toContain("<Ustrd>PO-0004</Ustrd>");
    expect(last).toContain("<Cd>AC04</Cd>");
  },
);

describe.each([
  ["pain.001.001.03", "pain.002.001.03", "camt.054.001.02"],
  ["pain.001.001.09", "pain.002.001.10", "camt.054.001.08"],
])("%s", (format, statusName, notificationName) => {
  const answers = answersByEnd(fileOf(format));
  const records = (name: string) => [...(readIsoMessage(answers[name] ?? "") ?? [])];

  test("the file is accepted, then payments are paid or rejected, then one comes back", () => {
    expect(Object.keys(answers)).toEqual(["status-1.xml", "status-2.xml", "returns-2.xml"]);
    expect(check(answers["status-1.xml"] ?? "").format).toBe(statusName);
    expect(check(answers["returns-2.xml"] ?? "").format).toBe(notificationName);
    expect(records("status-1.xml")).toMatchObject([{ kind: "group", status: "ACCP" }]);
    const statuses = records("status-2.xml").filter(({ kind }) => kind === "transaction");
    expect(statuses).toMatchObject([
      { status: "ACCC", endToEndId: "0193a5f27c1e7d3a9b0c5e2f4a6b8c00" },
      { status: "RJCT", reasons: [{ code: "AC04", text: "account closed" }] },
      { status: "RJCT", reasons: [{ code: "AC01", text: "no such account" }] },
      { status: "RJCT", reasons: [{ code: "RC01", text: "invalid BSB" }] },
      { status: "ACCC", endToEndId: "0193a5f27c1e7d3a9b0c5e2f4a6b8c04" },
    ]);
    const [returned] = records("returns-2.xml").filter(({ kind }) => kind === "transaction");
    expect(returned).toMatchObject({
      direction: "credit",
      amount: 5000n,
      returnReason: { code: "AC04" },
      references: { endToEndId: "0193a5f27c1e7d3a9b0c5e2f4a6b8c04" },
    });
  });

  test("a file with a wrong sum is rejected as a whole", () => {
    const broken = fileOf(format).replaceAll("<CtrlSum>210.00<", "<CtrlSum>210.01<");
    const { "status-1.xml": status = "", ...others } = answersByEnd(broken);
    expect(others).toEqual({});
    expect(check(status).problems).toEqual([]);
    expect(status).toContain("<GrpSts>RJCT</GrpSts><StsRsnInf><Rsn><Cd>FF01</Cd></Rsn>");
    expect(status).toContain(
      "<AddtlInf>CtrlSum of GrpHdr is 210.01, but the payments add up to another sum</AddtlInf>",
    );
  });
});

test("XML that can't be read is rejected by a text", () => {
  const { "ack.txt": text = "" } = answersByEnd("<Document><a></b></Document>");
  expect(text).toContain("Status:         REJECTED");
  expect(text).toContain("ends another than the open one");
});

test("statements follow on each other, and add up to what was paid and came back", () => {
  const first = decide(fileOf("pain.001.001.09"));
  const second = { ...decide(fileOf("pain.001.001.09").replaceAll("PO-000", "PO-100")) };
  second.receivedMs += 3 * 86_400_000;
  const statements = accountStatements(
    { files: [first, second], deposits: [] },
    { speed: 1, statements: "camt.053" },
  );
  expect(statements.map(({ name }) => name)).toEqual(
    [1, 2, 3, 4].map((number) => `stmt-eur-678-000${number}.xml`),
  );
  const balances = statements.map(({ write }) =>
    [...write().matchAll(/<Bal>.*?>([\d.]+)<\/Amt>/g)].map(([, amount]) => amount),
  );
  // 210.00 less 90.00 that were rejected; 50.00 come back a day later.
  expect(balances).toEqual([
    ["1000000.00", "999880.00"],
    ["999880.00", "999930.00"],
    ["999930.00", "999810.00"],
    ["999810.00", "999860.00"],
  ]);
  expect(statements.map(({ dueMs }) => new Date(dueMs).toISOString().slice(0, 10))).toEqual([
    "2026-11-17",
    "2026-11-18",
    "2026-11-20",
    "2026-11-21",
  ]);
});

test("a file of a format without rejections is debited whole, and what is refused comes back", () => {
  const { "stmt-aud-321-0001.bai": statement = "" } = answersByEnd(fileOf("aba"), {
    statements: "bai2",
  });
  expect(check(statement)).toMatchObject({ format: "bai2", count: 4, debit: 21000, credit: 9000 });
});

test("a speed of 3600 makes a second of an hour", () => {
  const due = (speed: number) =>
    answersTo(decide(fileOf("aba")), { speed }).map(({ dueMs }) => (dueMs - receivedMs) / 1000);
  expect(due(1)).toEqual([60, 3600, 86_400]);
  expect(due(3600).map(Math.round)).toEqual([0, 1, 24]);
});

test("the return rate and the seed decide about ordinary accounts, and magic ones keep their outcome", () => {
  const text = fileOf("aba").replace("12345999", "12340999");
  const kinds = (returnRate: number, seed = 1) =>
    decide(text, { returnRate, seed }).payments.map(({ outcome }) => outcome.kind);
  const rest = ["rejected", "rejected", "rejected", "returned", "silent"];
  expect(kinds(0)).toEqual(["paid", ...rest]);
  expect(kinds(1)).toEqual(["returned", ...rest]);
  const draws = Array.from({ length: 200 }, (_, seed) => kinds(0.25, seed)[0]);
  const returned = draws.filter((kind) => kind === "returned").length;
  expect(returned).toBeGreaterThan(25);
  expect(returned).toBeLessThan(80);
  expect(Array.from({ length: 200 }, (_, seed) => kinds(0.25, seed)[0])).toEqual(draws);
});
