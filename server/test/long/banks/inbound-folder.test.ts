// Files from banks in a folder that is polled: applied once, and refused files as problems.

import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import {
  listFolderFiles,
  setFileIgnored,
} from "../../../src/banking/inbound-files/inbound-folder-queries.ts";
import { startBankWorker } from "../../../src/banking/worker/worker.ts";
import { limits } from "../../../src/platform/limits/limits.ts";
import { createMetrics } from "../../../src/platform/metrics/metrics.ts";
import {
  bank,
  connect,
  countSignIns,
  filesOf,
  intervalMs,
  messageOf,
  newBank,
  poll,
  pollNow,
  problemOf,
  refusedOf,
  server,
  settleMs,
  startMs,
  useFolderBank,
} from "../../support/inbound-folder-setup.ts";
import { pain002 } from "../../support/inbound-messages.ts";
import { camt053 } from "../../support/statement-messages.ts";

useFolderBank();

test("a file is applied at the second look, once, and nothing on the server changes", async () => {
  const { payer, connection, ids, returnOf } = await newBank();
  server.files.set("out/returns.aba", returnOf(500, "PO-1"));
  const before = new Map(server.files);
  await poll(connection, 0);
  expect(await filesOf(connection)).toEqual({ "returns.aba": "waiting" });
  expect(server.reads).toEqual([]);
  // Before its time, nothing happens.
  await poll(connection, settleMs - 1);
  expect(countSignIns()).toBe(1);
  await poll(connection, settleMs);
  expect(await filesOf(connection)).toEqual({ "returns.aba": "applied" });
  expect(await bank.stagesOf(payer, ids)).toEqual(["returned", "submitted"]);
  for (let polls = 1; polls <= 3; polls += 1) await poll(connection, settleMs + polls * intervalMs);
  expect(server.reads).toEqual(["out/returns.aba"]);
  expect(countSignIns()).toBe(5);
  expect(server.files).toEqual(before);
  expect(server.renamed).toEqual([]);
  const { rows } = await bank.db.pool.query(
    "select name, received_by from bank_inbound_file where connection_id = $1",
    [connection.id],
  );
  expect(rows).toEqual([{ name: "returns.aba", received_by: `rail:${connection.rail}` }]);
  expect(await problemOf(connection)).toBe("");
});

test("the same bytes under another name change nothing, and a vanished file is forgotten", async () => {
  const { payer, connection, ids, returnOf } = await newBank();
  server.files.set("out/a.aba", returnOf(500, "PO-1"));
  server.files.set("out/b.aba", returnOf(500, "PO-1"));
  await poll(connection, 0);
  await poll(connection, settleMs);
  expect(await filesOf(connection)).toEqual({ "a.aba": "applied", "b.aba": "applied" });
  expect(await bank.stagesOf(payer, ids)).toEqual(["returned", "submitted"]);
  const { rows } = await bank.db.pool.query(
    "select count(*)::int as files from bank_inbound_file where connection_id = $1",
    [connection.id],
  );
  expect(rows).toEqual([{ files: 1 }]);
  server.files.delete("out/a.aba");
  await poll(connection, settleMs + intervalMs);
  expect(await filesOf(connection)).toEqual({ "b.aba": "applied" });
});

test("a file that still grows waits, and is read once it has stopped", async () => {
  const { connection, returnOf } = await newBank();
  const whole = returnOf(500, "PO-1");
  for (const [polls, length] of [100, 200, whole.length].entries()) {
    server.files.set("out/returns.aba", whole.subarray(0, length));
    await poll(connection, polls * settleMs);
    expect(await filesOf(connection)).toEqual({ "returns.aba": "waiting" });
  }
  // Of the same size, but written again.
  server.modifiedAtS.set("out/returns.aba", 7);
  await poll(connection, 3 * settleMs);
  expect(server.reads).toEqual([]);
  await poll(connection, 4 * settleMs);
  expect(await filesOf(connection)).toEqual({ "returns.aba": "applied" });
});

test("temporary, hidden and empty files, folders and names that the settings do not give are left alone", async () => {
  const { connection, returnOf } = await newBank({ inbound_files: "ACME*.ret *.XML" });
  const bytes = returnOf(500, "PO-1");
  const others = ["ACME1.ret.part", "x.xml.filepart", "ACME.tmp", ".ACME.ret", "sub/ACME.ret"];
  for (const name of [...others, "OTHER.ret", "ACME.ret.pgp", "ACME\n.ret"]) {
    server.files.set(`out/${name}`, bytes);
  }
  server.files.set("out/ACME0.ret", Buffer.alloc(0));
  server.files.set("out/ACME-2.ret", bytes);
  server.files.set("out/acme.xml", bytes);
  await poll(connection, 0);
  expect(await filesOf(connection)).toEqual({ "ACME-2.ret": "waiting", "acme.xml": "waiting" });
});

test("a refused file is a problem until it changes or a user polls, and stops no other file", async () => {
  const { payer, connection, ids, returnOf } = await newBank();
  server.files.set("out/a-wrong.aba", returnOf(500, "PO-1", { total: 501 }));
  server.files.set("out/b-right.aba", returnOf(700, "PO-2"));
  await poll(connection, 0);
  await poll(connection, settleMs);
  const refused = { "a-wrong.aba": "refused BANK401", "b-right.aba": "applied" };
  expect(await filesOf(connection)).toEqual(refused);
  expect(await messageOf(connection)).toMatch(/line 3/);
  expect(await refusedOf(connection)).toBe(1);
  expect(await bank.stagesOf(payer, ids)).toEqual(["submitted", "returned"]);
  await poll(connection, settleMs + intervalMs);
  expect(server.reads).toHaveLength(2);
  await pollNow(connection, settleMs + intervalMs + 1);
  expect(server.reads.filter((path) => path === "out/a-wrong.aba")).toHaveLength(2);
  expect(await filesOf(connection)).toEqual(refused);
  // The bank corrects it.
  server.files.set("out/a-wrong.aba", returnOf(500, "PO-1"));
  server.modifiedAtS.set("out/a-wrong.aba", 1);
  await poll(connection, settleMs + 2 * intervalMs + 1);
  await poll(connection, settleMs * 2 + 2 * intervalMs + 1);
  expect(await filesOf(connection)).toEqual({ "a-wrong.aba": "applied", "b-right.aba": "applied" });
  expect(await refusedOf(connection)).toBe(0);
  expect(await bank.stagesOf(payer, ids)).toEqual(["returned", "returned"]);
});

test("amounts and sums that the books can't hold refuse the file, and it is not tried again", async () => {
  const { connection } = await newBank();
  const { account_number: account } = connection.settings as { account_number: string };
  const day = "2026-11-16";
  const statementOf = (...amounts: bigint[]) => {
    const entries = amounts.map((amount) => ({ amount, day }));
    const closing = 0n;
    return Buffer.from(camt053({ account, from: day, to: day, opening: 0, entries, closing }));
  };
  server.files.set("out/amount.xml", statementOf(99_999_999_999_999_999_999n));
  const large = limits.amountMax / 2n;
  server.files.set("out/sum.xml", statementOf(large, -large, 2n));
  await poll(connection, 0);
  await poll(connection, settleMs);
  const refused = { "amount.xml": "refused BANK401", "sum.xml": "refused BANK401" };
  expect(await filesOf(connection)).toEqual(refused);
  const rows = await listFolderFiles(bank.db, {
    connectionId: connection.id,
    sinceMs: 0,
    limit: 9,
  });
  const messages = Object.fromEntries(rows.map(({ name, message }) => [name, message]));
  expect(messages).toEqual({
    "amount.xml": expect.stringMatching(
      /^line 9, column 7: expected at most 90071992547409.91 in Amt/,
    ),
    "sum.xml": expect.stringMatching(/^line 11, column 1: the amounts in AUD up to here/),
  });
  await poll(connection, settleMs + intervalMs);
  expect(server.reads).toHaveLength(2);
});

test("a refused file that vanishes stays a problem until a user ignores it", async () => {
  const { connection } = await newBank();
  server.files.set("out/report.pdf", Buffer.from("%PDF-1.7 \u0000"));
  server.files.set("out/other.txt", Buffer.from("hello"));
  await poll(connection, 0);
  await poll(connection, settleMs);
  const both = { "report.pdf": "refused BANK402", "other.txt": "refused BANK402" };
  expect(await filesOf(connection)).toEqual(both);
  server.files.delete("out/report.pdf");
  await poll(connection, settleMs + intervalMs);
  expect(await filesOf(connection)).toEqual(both);
  const ignoring = { connectionId: connection.id, atMs: startMs };
  for (const name of ["report.pdf", "other.txt"]) {
    expect(await setFileIgnored(bank.db, { ...ignoring, name })).toMatchObject({ name });
  }
  expect(await setFileIgnored(bank.db, { ...ignoring, name: "other.txt" })).toBeUndefined();
  expect(await refusedOf(connection)).toBe(0);
  const reads = server.reads.length;
  await pollNow(connection, settleMs + intervalMs + 1);
  expect(await filesOf(connection)).toEqual({ "other.txt": "ignored BANK402" });
  expect(server.reads).toHaveLength(reads);
});

test("a file about another bank connection is refused, and applied to neither", async () => {
  const one = await newBank();
  const other = await newBank();
  server.files.set("out/returns.aba", other.returnOf(500, "PO-1"));
  await poll(one.connection, 0);
  await poll(one.connection, settleMs);
  expect(await filesOf(one.connection)).toEqual({ "returns.aba": "refused BANK404" });
  expect(await messageOf(one.connection)).toContain(other.connection.row.name);
  expect(await bank.stagesOf(other.payer, other.ids)).toEqual(["submitted", "submitted"]);
});

test("a file that reports nothing about our payments is no problem", async () => {
  const { connection } = await newBank();
  server.files.set("out/none.xml", Buffer.from(pain002(randomUUID(), {})));
  await poll(connection, 0);
  await poll(connection, settleMs);
  expect(await filesOf(connection)).toEqual({ "none.xml": "no_reports BANK403" });
  expect(await refusedOf(connection)).toBe(0);
});

test("a file that is too large is refused without reading it", async () => {
  const { connection, returnOf } = await newBank();
  server.files.set("out/returns.aba", returnOf(500, "PO-1"));
  server.setFaults({ listsSize: limits.bankInboundBytesMax + 1 });
  await poll(connection, 0);
  await poll(connection, settleMs);
  expect(await filesOf(connection)).toEqual({ "returns.aba": "refused BANK405" });
  expect(server.reads).toEqual([]);
});

test("a connection without a folder is not polled", async () => {
  const payer = await bank.newPayer();
  const connection = await connect(payer, { inbound_folder: undefined });
  await poll(connection, 0);
  await expect(pollNow(connection, 0)).rejects.toThrow("BANK454");
  expect(server.logins).toEqual([]);
});

test("a folder that also has our own files needs the names of the bank's", async () => {
  const payer = await bank.newPayer();
  const refused = async (changes: object) =>
    connect(payer, changes).then(
      () => [],
      (error: { problems: { field: string }[] }) => error.problems.map(({ field }) => field),
    );
  expect(await refused({ inbound_folder: "in/" })).toEqual(["sftp.inbound_files"]);
  expect(await refused({ folder: "", inbound_folder: "." })).toEqual(["sftp.inbound_files"]);
  expect(await refused({ inbound_folder: undefined, inbound_files: "*.ret" })).toEqual([
    "sftp.inbound_folder",
  ]);
  expect(await refused({ inbound_files: "a/b" })).toEqual(["sftp.inbound_files"]);
  expect(await refused({ inbound_folder: "in", inbound_files: "*.ret" })).toEqual([]);
});

test("of a folder with too many files, some are read, and the rest is a problem", async () => {
  const { connection } = await newBank();
  const bytes = Buffer.from("hello");
  for (let file = 0; file <= limits.bankFolderFilesMax; file += 1) {
    server.files.set(`out/${file}.txt`, bytes);
  }
  expect(await pollNow(connection, 0)).toEqual({
    outcome: "too_many_files",
    problem: "The folder has more than 10000 files: the others are not read",
    waiting: limits.bankFolderFilesMax,
  });
  expect(await problemOf(connection)).toMatch(/more than 10000 files/);
});

test("the worker polls by itself, and its metrics tell refused files and the age of the last good poll", async () => {
  const { connection, returnOf } = await newBank();
  server.files.set("out/a.aba", returnOf(500, "PO-1"));
  server.files.set("out/b.txt", Buffer.from("hello"));
  let nowMs = Date.now();
  const workerMetrics = createMetrics();
  const log = { info() {}, warn() {} };
  const parts = { db: bank.db, seal: bank.seal, rails: bank.rails, log, metrics: workerMetrics };
  const worker = startBankWorker({ ...parts, addresses: "loopback", clock: () => nowMs });
  try {
    await vi.waitFor(
      async () => {
        worker.wake();
        nowMs += settleMs;
        expect(await filesOf(connection)).toEqual({
          "a.aba": "applied",
          "b.txt": "refused BANK402",
        });
      },
      { timeout: 60_000, interval: 100 },
    );
    const text = await workerMetrics.text();
    expect(text).toMatch(/disburse_bank_files_refused [1-9]/);
    expect(text).toMatch(/disburse_bank_polls_oldest_age_seconds \d/);
  } finally {
    await worker.close();
  }
});
