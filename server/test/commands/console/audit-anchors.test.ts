// Anchors of the audit log: heads saved outside the database show that the chain was emptied or rolled back.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { auditAnchorer } from "../../../src/doors/app/anchor-audit.ts";
import { createLog } from "../../../src/platform/log/log.ts";
import { createMetrics } from "../../../src/platform/metrics/metrics.ts";
import { readAnchors } from "../../../src/tenants/audit/anchors.ts";
import { recordAct } from "../../../src/tenants/audit/record.ts";
import { command } from "../../support/commands.ts";
import { newDatabase, settingsOf } from "../../support/service.ts";

async function auditTest() {
  const { db, url, seal } = await newDatabase();
  const folder = mkdtempSync(join(tmpdir(), "disburse-anchors-"));
  onTestFinished(async () => {
    await db.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const file = join(folder, "audit-anchors");
  const logged: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      logged.push(String(chunk));
      done();
    },
  });
  const log = createLog({ level: "info", destination });
  const metrics = createMetrics();
  const environment = settingsOf({ url });
  return {
    db,
    file,
    folder,
    logged,
    metrics,
    newAnchorer: () => auditAnchorer({ db, log, metrics, file }),
    record: () =>
      db.transaction((tx) =>
        recordAct(
          { tx, seal },
          { kind: "user", who: "operator:ada", ip: "", requestId: "r" },
          { action: "payout.approve", object: { kind: "payout", id: "1" } },
        ),
      ),
    /** The owner of the database could do this. */
    async empty() {
      await db.pool.query("truncate audit_entry");
      await db.pool.query("update audit_head set number = 0, at_ms = 0, hash = '', mark = ''");
    },
    verify: (words: string[] = [], more: Record<string, string> = {}) =>
      command(["audit", "verify", "--json", ...words], { ...environment, ...more }),
  };
}

test("a changed head is logged, saved and shown in the metrics; a start logs the head once more", async () => {
  const { record, newAnchorer, logged, file, metrics } = await auditTest();
  const anchor = newAnchorer();
  await anchor();
  expect(logged).toEqual([]);
  await record();
  await record();
  await anchor();
  await anchor();
  await newAnchorer()();
  const lines = readFileSync(file, "utf8");
  const [head] = readAnchors(lines);
  expect(head?.number).toBe(2);
  expect(lines.trim().split("\n")).toHaveLength(1);
  const heads = logged.map((line) => JSON.parse(line).audit_head);
  expect(heads).toEqual(Array(2).fill(`2:${head?.hash}`));
  expect(await metrics.text()).toContain("disburse_audit_head_number 2");
});

test("verify and the running service detect that the chain was emptied", async () => {
  const { record, newAnchorer, logged, file, empty, verify } = await auditTest();
  await record();
  const anchor = newAnchorer();
  await anchor();
  await empty();
  // There is neither a user nor an earlier verification, as in a new database.
  expect(await verify()).toMatchObject({ code: 0, stderr: expect.stringContaining("No anchor") });
  const missing = await verify([], { AUDIT_ANCHOR_FILE: `${file}.missing` });
  expect(missing).toMatchObject({ code: 4, stderr: expect.stringContaining("There is no file") });
  const found = await verify([], { AUDIT_ANCHOR_FILE: file });
  expect(found).toMatchObject({ code: 1, stderr: expect.stringContaining("the end is cut off") });

  // In the same process, and in one that starts afterwards.
  for (const look of [anchor, newAnchorer()]) {
    logged.length = 0;
    await look();
    const [line] = logged.map((text) => JSON.parse(text));
    expect(line).toMatchObject({
      level: 50,
      audit_head: "0:",
      msg: expect.stringContaining("lost"),
    });
  }
});

test("an emptied log is detected without anchors, by users and by the last verification", async () => {
  const { db, record, empty, verify } = await auditTest();
  await record();
  await record();
  expect(await verify()).toMatchObject({ code: 0, stderr: /Proved: entries 1 to 2 .*Not proved/s });
  const again = await verify();
  expect(again.stderr).toMatch(/still hold entry 2, which was the last one at the verification of/);
  await empty();
  // The fault is found each time, also after new entries have taken the place of the old ones.
  for (const more of [0, 0, 1, 2]) {
    for (let count = 0; count < more; count += 1) await record();
    expect(await verify(), String(more)).toMatchObject({ code: 1, stderr: /is broken/ });
  }

  await empty();
  await db.pool.query("delete from audit_verified");
  expect((await verify()).code).toBe(0);
  await db.pool.query(
    "insert into console_user (id, name, email, role) values (gen_random_uuid(), 'Ada', 'ada@example.com', 'admin')",
  );
  expect(await verify()).toMatchObject({ code: 1, stderr: /the log was emptied/ });
});

test("verify detects a chain that was rolled back and continued, also with anchors from a log", async () => {
  const { db, record, newAnchorer, logged, file, folder, verify } = await auditTest();
  await record();
  await db.pool.query("create table kept as select * from audit_head");
  await record();
  await newAnchorer()();
  await db.pool.query("delete from audit_entry where number = 2");
  await db.pool.query(
    "update audit_head h set number = k.number, at_ms = k.at_ms, hash = k.hash, mark = k.mark from kept k",
  );
  await record();
  await record();

  expect((await verify()).code).toBe(0);
  const log = join(folder, "service.log");
  writeFileSync(log, logged.join(""));
  const [{ number, hash } = { number: 0, hash: "" }] = readAnchors(readFileSync(file, "utf8"));
  for (const words of [
    ["--anchors", log],
    ["--anchors", file],
    ["--anchor", `${number}:${hash}`],
    ["--expect", `${number}:${hash}`],
  ]) {
    const { code, stdout, stderr } = await verify(words);
    expect([code, JSON.parse(stdout).anchors]).toEqual([1, 1]);
    expect(stderr).toContain("Entry 2: it is another one than was expected");
  }
  const nonsense = await verify(["--anchor", "2:x"]);
  expect([nonsense.code, nonsense.stdout]).toEqual([2, ""]);
});
