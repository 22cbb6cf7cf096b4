// The owner migrates, the service works as a role that can't change the schema, directly or through PgBouncer.

import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { connect } from "../../src/platform/db/connect.ts";
import { sealWith } from "../../src/platform/encryption/seal.ts";
import { newPayer, payUntilMade } from "../support/payers.ts";
import { freePort, startAlone } from "../support/postgres-servers.ts";
import { disburse, serve } from "../support/process.ts";
import { masterKey } from "../support/service.ts";
import { startSink } from "../support/sink.ts";
import { testUnless } from "../support/skippable.ts";

const startMs = 120_000;
const rolePassword = randomUUID();
const production = {
  DISBURSE_MASTER_KEY: masterKey.toString("base64"),
  NODE_ENV: "production",
  ADMIN_PORT: "0",
  LOG_LEVEL: "fatal",
};

let alone: Awaited<ReturnType<typeof startAlone>>;
beforeAll(async () => {
  alone = await startAlone();
}, startMs);
afterAll(() => alone.close());

/** A database of its own with an owner that is no superuser, and a login role for the service. */
async function newRoles() {
  const { server } = alone;
  const suffix = randomUUID().slice(0, 8);
  const [owner, runtime, database] = [`owner_${suffix}`, `runtime_${suffix}`, `db_${suffix}`];
  const exists = "select from pg_roles where rolname = 'disburse_service'";
  await server.query(
    `create role ${owner} login createrole password '${rolePassword}'`,
    `do $$ begin if not exists (${exists}) then create role disburse_service; end if; end $$`,
    `grant disburse_service to ${owner} with admin option`,
    `create database ${database} owner ${owner}`,
  );
  const urlAs = (user: string, port = server.port) =>
    `postgres://${user}:${rolePassword}@127.0.0.1:${port}/${database}`;
  const asOwner = new pg.Client(urlAs(owner));
  await asOwner.connect();
  onTestFinished(() => asOwner.end());
  await asOwner.query(`create role ${runtime} login password '${rolePassword}'`);
  return { owner, runtime, asOwner, urlAs };
}

const migrateAs = (url: string, ...words: string[]) =>
  disburse(["migrate", ...words], { ...production, DATABASE_URL: url });

test(
  "the owner migrates and grants; the service serves and can't change the schema",
  async () => {
    const { owner, runtime, asOwner, urlAs } = await newRoles();
    const early = await migrateAs(urlAs(runtime));
    expect(early.stderr).toContain("may not change the schema");
    const granted = await migrateAs(urlAs(owner), "--runtime-role", runtime);
    expect([granted.code, granted.stderr]).toEqual([0, ""]);
    expect((await migrateAs(urlAs(runtime))).code).toBe(0);

    const db = connect({ connection: { connectionString: urlAs(runtime) }, poolMax: 1 });
    onTestFinished(() => db.close());
    for (const text of [
      "create table mine ()",
      "alter table payout add column mine int",
      "drop table payout",
      "delete from migration",
      "update ledger_transfer set amount = 1",
    ]) {
      await expect(db.pool.query(text)).rejects.toMatchObject({ code: "42501" });
    }
    const serving = await serve({ ...production, DATABASE_URL: urlAs(runtime) });
    expect((await fetch(`${serving.baseUrl}/readyz`)).status).toBe(200);
    await serving.end();
    const asRuntime = { ...production, DATABASE_URL: urlAs(runtime) };
    const rotated = await disburse(["master-key", "rotate"], asRuntime);
    expect([rotated.code, rotated.stderr]).toEqual([
      0,
      expect.stringContaining("0 under the old key."),
    ]);

    await asOwner.query("delete from migration where name = (select max(name) from migration)");
    const behind = await disburse(["serve"], { ...production, DATABASE_URL: urlAs(runtime) });
    expect([behind.code, behind.stderr]).toEqual([
      1,
      expect.stringContaining("Run disburse migrate as the owner of the tables first."),
    ]);
  },
  startMs,
);

test(
  "a role that may change the schema, or does not exist, is no runtime role",
  async () => {
    const { owner, urlAs } = await newRoles();
    for (const [role, text] of [
      [owner, "may change the schema"],
      ["disburse", "may change the schema"],
      ["absent", "There is no role absent"],
    ] as const) {
      const { code, stderr } = await migrateAs(urlAs(owner), "--runtime-role", role);
      expect([code, stderr]).toEqual([1, expect.stringContaining(text)]);
    }
  },
  startMs,
);

test(
  "options in DATABASE_URL are kept beside ours, and settings that replace ours are refused",
  async () => {
    const { owner, urlAs } = await newRoles();
    const beside = `${urlAs(owner)}?options=${encodeURIComponent("-c work_mem=8MB")}`;
    const kept = await migrateAs(beside);
    expect([kept.code, kept.stderr]).toEqual([0, ""]);
    const db = connect({ connection: { connectionString: beside }, poolMax: 1 });
    onTestFinished(() => db.close());
    const { rows } = await db.pool.query(
      "select current_setting('work_mem') as memory, current_setting('plan_cache_mode') as plans",
    );
    expect(rows).toEqual([{ memory: "8MB", plans: "force_generic_plan" }]);
    const { code, stderr } = await migrateAs(`${urlAs(owner)}?statement_timeout=0`);
    expect(code).toBe(1);
    expect(stderr).toContain("statement_timeout is 0, not 10s");
    expect(stderr).toContain("If DATABASE_URL sets them, remove them there.");
  },
  startMs,
);

/** Transaction mode keeps prepared statements since 1.21. Debian 12 has 1.18. */
function missingPgBouncer(): string | undefined {
  const { stdout, error } = spawnSync("pgbouncer", ["--version"], { encoding: "utf8" });
  const [, major = 0, minor = 0] = /PgBouncer (\d+)\.(\d+)/.exec(stdout ?? "") ?? [];
  if (!error && (Number(major) > 1 || Number(minor) >= 21)) return undefined;
  return "this machine has no PgBouncer 1.21 or newer";
}

async function startPgBouncer(users: string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "disburse-pgbouncer-"));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const passwords = users.map((user) => `"${user}" "${rolePassword}"\n`).join("");
  writeFileSync(join(folder, "users.txt"), passwords);
  const settings = `[databases]
* = host=127.0.0.1 port=${alone.server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, "users.txt")}
pool_mode = transaction
default_pool_size = 8
max_prepared_statements = 500
`;
  writeFileSync(join(folder, "pgbouncer.ini"), settings);
  // It refuses to run as root.
  const identity = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const child = spawn("pgbouncer", [join(folder, "pgbouncer.ini")], {
    ...identity,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr?.on("data", (chunk) => {
    said += chunk;
  });
  onTestFinished(async () => {
    child.kill("SIGINT");
    if (child.exitCode === null) await once(child, "exit");
    rmSync(folder, { recursive: true, force: true });
  });
  await expect.poll(() => said).toContain("process up");
  return port;
}

testUnless(missingPgBouncer())(
  "through PgBouncer in transaction mode, with the settings on the login role",
  async () => {
    const { owner, runtime, urlAs } = await newRoles();
    const port = await startPgBouncer([owner, runtime]);
    const through = (user: string) => ({
      ...production,
      DATABASE_URL: urlAs(user, port),
      DATABASE_DIRECT_URL: urlAs(user),
      RATE_LIMIT_PER_S: "0",
      POSTBACK_ADDRESSES: "loopback",
      SANDBOX_BANK_DELAY_MS: "50",
    });
    // The owner has no settings of its own, and PgBouncer passes none on.
    const refused = await disburse(["migrate"], through(owner));
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining("plan_cache_mode is auto, not force_generic_plan"),
    ]);
    const words = ["migrate", "--runtime-role", runtime];
    const granted = await disburse(words, { ...production, DATABASE_URL: urlAs(owner) });
    expect([granted.code, granted.stderr]).toEqual([0, ""]);

    const serving = await serve(through(runtime));
    onTestFinished(() => serving.end("SIGKILL").then(() => {}));
    const { baseUrl } = serving;
    const db = connect({ connection: { connectionString: urlAs(owner) }, poolMax: 2 });
    onTestFinished(() => db.close());
    const sink = await startSink((_received, response) => void response.writeHead(204).end());
    onTestFinished(() => sink.close());
    const seal = sealWith(masterKey);
    const payer = await newPayer({ db, seal, baseUrl }, sink.url("/"));
    const pay = (payee: number) =>
      payUntilMade(
        payer,
        payee,
        () => baseUrl,
        async (error) => {
          throw error;
        },
      );
    const made = await Promise.all(Array.from({ length: 60 }, (_, payee) => pay(payee)));
    expect(new Set(made).size).toBe(60);
    await expect.poll(() => sink.received.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(60);
    expect((await fetch(`${baseUrl}/readyz`)).status).toBe(200);
    expect(await serving.end()).toBe(0);
  },
  startMs,
);
