// disburse database move-out: from the embedded database to a PostgreSQL of the operator's own.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, type Db } from "../../src/platform/db/connect.ts";
import { copyBetween } from "../../src/platform/db/copy.ts";
import { command } from "../support/commands.ts";
import { startAlone } from "../support/postgres-servers.ts";
import { serve } from "../support/process.ts";
import { newDatabase } from "../support/service.ts";

const DATA_DIR = mkdtempSync(join(tmpdir(), "disburse-move-out-"));
const keyFile = join(DATA_DIR, "master.key");
let alone: Awaited<ReturnType<typeof startAlone>>;
let target: { db: Db; url: string };
let moved: Record<string, unknown>;

async function json(words: string[], environment: Record<string, string>) {
  const { code, stdout, stderr } = await command([...words, "--json"], environment);
  expect(code, `${words.join(" ")}: ${stderr}`).toBe(0);
  return JSON.parse(stdout);
}
const move = (url: string) =>
  command(["database", "move-out", "--json"], { DATA_DIR, TARGET_DATABASE_URL: url });
const atTarget = () => ({ DATABASE_URL: target.url, DISBURSE_MASTER_KEY_FILE: keyFile });
const quarantines = async () =>
  (await target.db.pool.query("select quarantine_reason as reason from installation")).rows;

/** With the roles of docs/operate/database.md. */
async function newTarget(): Promise<{ db: Db; url: string }> {
  const { server } = alone;
  await server.query(
    "create role payouts_owner login createrole password 'secret'",
    "create database payouts owner payouts_owner",
  );
  const url = `postgres://payouts_owner:secret@127.0.0.1:${server.port}/payouts`;
  return { url, db: connect({ connection: { connectionString: url }, poolMax: 3 }) };
}

beforeAll(async () => {
  alone = await startAlone();
  const serving = await serve({ DATA_DIR, LOG_LEVEL: "fatal" });
  const running = await move("postgres://nobody@127.0.0.1:1/none");
  expect(running).toMatchObject({ code: 1, stderr: /running already/ });
  await serving.end();
  await json(["ledger", "fund", "--currency", "AUD", "--amount", "1000", "--reference", "x"], {
    DATA_DIR,
  });
  target = await newTarget();
  const used = await newDatabase();
  await used.db.close();
  expect(await move(used.url)).toMatchObject({ code: 1, stderr: /not empty/ });
  const { code, stdout, stderr } = await move(target.url);
  expect(code, stderr).toBe(0);
  expect(stderr).toContain(`DISBURSE_MASTER_KEY_FILE=${keyFile}`);
  moved = JSON.parse(stdout);
}, 240_000);
afterAll(async () => {
  await target.db.close();
  await alone.close();
  rmSync(DATA_DIR, { recursive: true, force: true, maxRetries: 10 });
});

test("all rows, sequences and generated columns are in the target, which is released", async () => {
  expect(moved).toMatchObject({ transfers: "1", ledger_differences: [], audit_fault: null });
  expect(moved.rows).toBeGreaterThan(20);
  expect(await quarantines()).toEqual([{ reason: null }]);
  expect(await json(["receivers", "list"], atTarget())).toEqual(
    await json(["receivers", "list"], { DATA_DIR }),
  );
  const [created] = await json(["subaccount", "list"], atTarget());
  expect(created).toBeDefined();
  const { rows } = await target.db.pool.query(
    "select nextval('event_number') > coalesce(max(number), 0) as is_next from event",
  );
  expect(rows).toEqual([{ is_next: true }]);
  const fund = ["ledger", "fund", "--currency", "AUD", "--amount", "1", "--reference", "after"];
  expect((await command(fund, atTarget())).code).toBe(0);
});

test("the owner of the target can't change the ledger and the audit log afterwards", async () => {
  for (const table of ["audit_entry", "ledger_transfer", "audit_head"]) {
    const text = `truncate ${table}`;
    await expect(target.db.pool.query(text)).rejects.toMatchObject({ code: "42501" });
  }
  const { rows } = await target.db.pool.query(
    "select rolsuper from pg_roles where rolname = current_user",
  );
  expect(rows).toEqual([{ rolsuper: false }]);
});

test("the embedded database stays in quarantine for ever", async () => {
  const fund = ["ledger", "fund", "--currency", "AUD", "--amount", "1", "--reference", "late"];
  expect(await command(fund, { DATA_DIR })).toMatchObject({ code: 1, stderr: /quarantine/ });
  const words = ["restore", "release", "--no-erasures", "--confirm", "pay again"];
  expect(await command(words, { DATA_DIR })).toMatchObject({ code: 1, stderr: /was moved/ });
});

test("a move that was interrupted before its last step is finished by the same command", async () => {
  expect(await move(target.url)).toMatchObject({ code: 1, stderr: /Nothing was changed/ });
  await target.db.pool.query(
    "update installation set quarantined_at = now(), quarantine_reason = 'moving'",
  );
  expect(
    await command(
      ["ledger", "fund", "--currency", "AUD", "--amount", "1", "--reference", "y"],
      atTarget(),
    ),
  ).toMatchObject({ code: 1 });
  expect((await move(target.url)).code).toBe(0);
  expect(await quarantines()).toEqual([{ reason: null }]);
});

test("move-out needs the address of a target", async () => {
  const missing = await command(["database", "move-out"], { DATA_DIR });
  expect(missing).toMatchObject({ code: 2, stderr: /Set TARGET_DATABASE_URL/ });
  const wrong = await move("mysql://somewhere");
  expect(wrong).toMatchObject({ code: 2, stderr: /not the address/ });
});

test("rows of any size are copied whole, and a failure of the source leaves none", async () => {
  const { db } = target;
  const [source, sink] = [await db.openClient(), await db.openClient()];
  await sink.query("create temporary table copied (text text)");
  const rows = `select repeat(g::text, case when g % 1000 = 0 then 100000 else 100 end) as text
     from generate_series(1, 20000) g`;
  const to = { client: sink, text: "copy copied from stdin" };
  const text = `copy (${rows}) to stdout`;
  expect(await copyBetween({ client: source, text }, to)).toEqual({
    read: 20_000,
    written: 20_000,
  });
  const digest = "md5(string_agg(text, ',' order by text)) as digest";
  const [copied] = (await sink.query(`select ${digest} from copied`)).rows;
  expect(copied).toEqual((await source.query(`select ${digest} from (${rows}) r`)).rows[0]);
  const failing = "copy (select 1 / (5000 - g) from generate_series(1, 10000) g) to stdout";
  await expect(copyBetween({ client: source, text: failing }, to)).rejects.toThrow(
    "division by zero",
  );
  expect((await sink.query("select count(*)::int as count from copied")).rows).toEqual([
    { count: 20_000 },
  ]);
  await expect(
    copyBetween({ client: source, text }, { client: sink, text: "copy missing from stdin" }),
  ).rejects.toThrow("missing");
  expect((await source.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  await Promise.all([source.end(), sink.end()]);
});
