// disburse ledger statement: the journal, and the statement as a table, JSON, CSV and PDF.

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { ensureBalances, postTransfers } from "../../../src/money/ledger/queries.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { operatorTest } from "../../support/cli-operator.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { readPdf } from "../../support/pdf-reader.ts";

const suite = await closeAfterTests(operatorTest());
const { db, subaccountId } = suite;
const day = (month: number, date: number) => Date.UTC(2026, month - 1, date);
const base = { subaccountId, currency: "AUD", who: "service" };
await db.transaction(async (tx) => {
  await ensureBalances(tx, [base]);
  await postTransfers(tx, [
    {
      ...base,
      id: newId(),
      kind: "fund",
      amount: 150_000n,
      reference: "first",
      atMs: day(9, 30),
    },
    {
      ...base,
      id: newId(),
      kind: "fund",
      amount: 50_000n,
      reference: "second",
      atMs: day(10, 2),
    },
    { ...base, id: newId(), kind: "fee", amount: 125n, reference: "october", atMs: day(10, 31) },
  ]);
});

const words = ["ledger", "statement", "--currency", "AUD"];

test("the journal stays the default: every entry, newest first", async () => {
  const entries = await suite.json(...words);
  expect(entries.map(({ kind }: { kind: string }) => kind)).toEqual(["fee", "fund", "fund"]);
});

test("--format lines shows the movements of a month between its opening and closing balance", async () => {
  const { stdout } = await suite.run(...words, "--format", "lines", "--month", "2026-10");
  const lines = stdout.trim().split("\n");
  expect(lines).toHaveLength(5);
  expect(lines[1]).toMatch(/^2026-10-01 +Opening balance .* 1,500\.00 AUD$/);
  expect(lines[2]).toMatch(/^2026-10-02 +Funding .*second .* 500\.00 AUD +2,000\.00 AUD$/);
  expect(lines[3]).toMatch(/^2026-10-31 +Fee .* -1\.25 AUD +1,998\.75 AUD$/);
  expect(lines[4]).toMatch(/^2026-10-31 +Closing balance .* 1,998\.75 AUD$/);
  expect(
    await suite.json(...words, "--format", "lines", "--from", "2026-10-01", "--to", "2026-10-03"),
  ).toMatchObject({
    ...{ currency: "AUD", from: "2026-10-01", to: "2026-10-02", opening: "1500.00" },
    ...{ closing: "2000.00", lines: [{ amount: "500.00", balance: "2000.00" }] },
  });
});

test("--csv and --out write CSV, and never over another file", async () => {
  const month = ["--format", "lines", "--month", "2026-10"];
  const { stdout } = await suite.run(...words, ...month, "--csv");
  expect(parse(stdout, { columns: true })).toHaveLength(4);
  const out = join(suite.folder, "october.csv");
  expect((await suite.run(...words, ...month, "--out", out)).code).toBe(0);
  expect(readFileSync(out, "utf8")).toBe(stdout);
  expect(statSync(out).mode & 0o777).toBe(0o600);
  const again = await suite.run(...words, ...month, "--out", out);
  expect([again.code, again.stderr]).toEqual([1, `${out} exists already. Name another file.\n`]);
});

test("--format pdf writes a document", async () => {
  const out = join(suite.folder, "october.pdf");
  const { code } = await suite.run(...words, "--format", "pdf", "--month", "2026-10", "--out", out);
  expect(code).toBe(0);
  const page = readPdf(readFileSync(out)).lines[0] ?? [];
  expect(page).toContain("2026-10-31 | Closing balance | 1,998.75");
  expect(page.some((line) => line.includes("Only"))).toBe(true);
});

test.each([
  [["--format", "lines", "--from", "2026-10-01T12:00Z", "--to", "2026-10-03"], "whole days"],
  [["--format", "lines", "--from", "2026-10-01"], "days are not valid"],
  [["--format", "lines", "--month", "2026-13"], "a month such as"],
  [["--month", "2026-10"], "need --format"],
  [["--format", "xml"], "journal, lines, pdf"],
])("%j is refused", async (options, why) => {
  const { code, stderr } = await suite.run(...words, ...options);
  expect(code).not.toBe(0);
  expect(stderr).toContain(why);
});
