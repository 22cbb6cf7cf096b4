// disburse bank-files inbound and list, suspense, and recalls: without a service, and with audit entries.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findBatch } from "../../../src/banking/files/batch-queries.ts";
import { abaReturns } from "../../support/aba-returns.ts";
import { meAs } from "../../support/cli-operator.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { command } from "../../support/commands.ts";
import { startBankTest } from "../../support/inbound-setup.ts";
import { newPgpKeys, pgpMessage, sftpWith } from "../../support/pgp-keys.ts";
import { settingsOf } from "../../support/service.ts";

const folder = mkdtempSync(join(tmpdir(), "disburse-inbound-"));
const bank = await closeAfterTests(startBankTest());
afterAll(async () => {
  rmSync(folder, { recursive: true });
});

const run = (...words: string[]) => command(words, settingsOf(bank));

async function json(...words: string[]) {
  const { code, stdout, stderr } = await run(...words, "--json");
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

function fileOf(name: string, text: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

test("a file is applied once, suspense is decided with a reason, and every action is in the audit log", async () => {
  const last = "select coalesce(max(number), 0) as number from audit_entry";
  const { number: lastNumber } = (await bank.db.pool.query(last)).rows[0];
  const payer = await bank.newPayer();
  const connection = await bank.connect(payer.subaccountId);
  const { batchId, ids } = await bank.sendPayouts(payer, connection, [500, 700]);
  const date = (await findBatch(bank.db, batchId))?.process_date as string;
  const [first = "", second = ""] = ids;
  const text = abaReturns(
    connection,
    [
      { amount: 500, reference: "PO-1" },
      { amount: 700, reference: "LOST" },
    ],
    { date },
  );
  const file = fileOf("returns.aba", text);
  const applied = await json("bank-files", "inbound", file, "--by", "Erin");
  expect(applied).toMatchObject({
    name: "returns.aba",
    bank: connection.row.name,
    format: "aba",
    received_by: meAs("Erin"),
    lines: 2,
    applied: 1,
    suspended: 1,
    is_new: true,
  });
  const again = await run("bank-file", "inbound", file, "--bank", connection.row.name);
  expect(again.stderr).toBe("This file was applied before. Nothing has changed.\n");
  const named = ["--bank", connection.row.name];
  expect(await json("bank-files", "list", ...named)).toMatchObject([
    { id: applied.id, suspended: 1 },
  ]);

  const [item] = await json("suspense", "list");
  expect(item).toMatchObject({ amount: "7.00 AUD", booked: true, reason: "no payout fits" });
  const shown = await json("suspense", "show", item.id);
  expect(shown.candidates).toMatchObject([{ payout: second }]);
  const short = await run("suspense", "match", item.id, second);
  expect(short.stderr).toContain("--reason");
  const wrong = await run("suspense", "match", item.id, first, "--reason", "x");
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("BANK414")]);
  const reason = ["--reason", "seen on the statement", "--by", "Erin"];
  const decided = await json("suspense", "match", item.id, second, ...reason);
  expect(decided.status).toBe("matched");
  expect(await bank.stagesOf(payer, ids)).toEqual(["returned", "returned"]);
  expect(await json("suspense", "undo", item.id, ...reason)).toMatchObject({ status: "open" });
  const parts = await json("suspense", "split", item.id, "300", "400", ...reason);
  expect(parts.status).toBe("split");
  expect(await json("suspense", "list")).toHaveLength(2);

  await json("bank-batches", "recall", second, "--note", "called them", "--by", "Erin");
  expect(await json("bank-batches", "recalls")).toMatchObject([{ payout: second }]);
  const answer = ["--outcome", "refused", "--note", "too late"];
  expect(await json("bank-batches", "recall-outcome", second, ...answer)).toMatchObject({
    outcome: "refused",
  });
  const { rows } = await bank.db.pool.query(
    "select action from audit_entry where number > $1 and action ~ '^(bank-file|suspense|payout.recall)' order by number",
    [lastNumber],
  );
  expect(rows.map(({ action }) => action)).toEqual([
    "bank-file.inbound",
    "suspense.match",
    "suspense.undo",
    "suspense.split",
    "payout.recall",
    "payout.recall-outcome",
  ]);
});

test("a broken file is refused with its line and reason", async () => {
  const payer = await bank.newPayer();
  const connection = await bank.connect(payer.subaccountId);
  const lines = [{ amount: 500, reference: "PO-1" }];
  const text = abaReturns(connection, lines, { date: "2026-11-16", total: 501 });
  const { code, stderr } = await run("bank-files", "inbound", fileOf("broken.aba", text));
  expect(code).toBe(1);
  expect(stderr).toMatch(/^BANK401: line 3, column \d+: /m);
});

test("where the connection has a PGP key, the command takes only a file that the bank has signed", async () => {
  const keys = await newPgpKeys("bank");
  const payer = await bank.newPayer();
  const connection = await bank.connect(
    payer.subaccountId,
    sftpWith({ pgp_public_key: keys.publicKey }),
  );
  const { batchId } = await bank.sendPayouts(payer, connection, [500]);
  const date = (await findBatch(bank.db, batchId))?.process_date as string;
  const text = abaReturns(connection, [{ amount: 500, reference: "PO-1" }], { date });
  const plain = await run("bank-files", "inbound", fileOf("plain.aba", text));
  expect([plain.code, plain.stderr]).toEqual([1, expect.stringContaining("BANK410")]);
  const signed = fileOf("signed.pgp", await pgpMessage(Buffer.from(text), { from: keys }));
  const named = ["--bank", connection.row.name];
  expect(await json("bank-files", "inbound", signed, ...named)).toMatchObject({
    format: "aba",
    applied: 1,
    is_new: true,
  });
});
