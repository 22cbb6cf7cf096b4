// An upgrade: the version before serves without a failed request while the new one migrates, and does not start again
// afterwards. The new version is the packed one with two more migrations.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { version } from "../../../src/platform/base/version.ts";
import { pendingMigrations, readMigrations } from "../../../src/platform/db/migrate.ts";
import { makeEarlier } from "../../support/earlier-database.ts";
import { nextVersion } from "../../support/next-version.ts";
import { disburse, serve } from "../../support/process.ts";
import { ada, newCaller, newDatabase, settingsOf } from "../../support/service.ts";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const migrations = join(root, "server", "src", "platform", "db", "migrations");

const column = `-- A column that the version before does not know.
alter table receiver add column upgrade_test text;
`;
const index = `-- An index of a large table.
-- outside a transaction

drop index concurrently if exists receiver_upgrade_test;
create index concurrently receiver_upgrade_test on receiver (subaccount_id, upgrade_test);
`;

const added = { "9998_column.sql": column, "9999_index.sql": index };

test("the version before serves while the new one migrates, and refuses to start afterwards", async () => {
  const { db, url, seal } = await newDatabase();
  onTestFinished(() => db.close());
  const environment = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    ...settingsOf({ url }),
    ADMIN_PORT: "0",
    RATE_LIMIT_PER_S: "0",
  };
  const before = await serve(environment);
  onTestFinished(async () => void (await before.end()));
  const caller = await newCaller({ db, seal, baseUrl: before.baseUrl } as never);
  // An interrupted build left this one behind.
  await db.pool.query("create index receiver_upgrade_test on receiver (subaccount_id)");

  const statuses: number[] = [];
  let isMigrated = false;
  const requests = (async () => {
    while (!isMigrated || statuses.length < 20) {
      const body = ada({ email: `ada${statuses.length}@example.com` });
      statuses.push((await caller.call("POST", "/api/receiver", { body })).status);
    }
  })();
  const migrating = spawn(nextVersion(added), ["migrate", "--json"], { env: environment });
  const said = text(migrating.stderr);
  const printed = text(migrating.stdout);
  const [code] = await once(migrating, "close");
  isMigrated = true;
  await requests;
  expect([code, await said]).toEqual([0, expect.anything()]);
  expect(JSON.parse(await printed).applied).toEqual(["9998_column.sql", "9999_index.sql"]);
  expect([...new Set(statuses)]).toEqual([200]);

  const { rows } = await db.pool.query(
    `select indisvalid, pg_get_indexdef(indexrelid) as definition from pg_index
     where indexrelid = 'receiver_upgrade_test'::regclass`,
  );
  expect(rows).toEqual([
    { indisvalid: true, definition: expect.stringContaining("(subaccount_id, upgrade_test)") },
  ]);
  expect((await fetch(`${before.baseUrl}/readyz`)).status).toBe(200);
  const again = await disburse(["serve"], { ...environment, PORT: "0" });
  expect(again.code).toBe(1);
  expect(again.stderr).toContain("migration 9999_index.sql, which this program");
});

test("only migrate and serve migrate: other commands name both versions and change nothing", async () => {
  const { db, url } = await newDatabase();
  onTestFinished(() => db.close());
  const env = {
    PATH: process.env.PATH,
    ...settingsOf({ url }),
  };
  await db.pool.query("update migration set version = '0.0.9'");
  const at = readMigrations().at(-1)?.name;
  const next = nextVersion(added);
  const run = (words: string[]) =>
    promisify(execFile)(next, words, { env }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );
  for (const words of [
    ["users", "list"],
    ["ledger", "verify"],
    ["ledger", "balance"],
    ["audit", "verify"],
    ["restore", "verify"],
    ["master-key", "status"],
    ["subaccount", "create", "--name", "N", "--mode", "test"],
  ]) {
    const { code, stdout, stderr } = await run(words);
    expect([code, stdout], words.join(" ")).toEqual([1, ""]);
    expect(stderr).toContain(`The database is at migration ${at} of Disburse 0.0.9.`);
    expect(stderr).toContain(`This program is Disburse ${version} and needs 9999_index.sql`);
    expect(stderr).toContain("Migrations to apply: 2.");
    expect(stderr).toContain("Run disburse migrate first");
  }
  expect(await pendingMigrations(db.pool)).toEqual([]);
  const { rows } = await db.pool.query("select name from migration where name >= '9998'");
  expect(rows).toEqual([]);
  expect((await run(["migrate"])).code).toBe(0);
  expect((await run(["users", "list"])).code).toBe(0);
});

test("migrate and serve take over a database from before 0.1.0, and refuse an older one with the way to go", async () => {
  for (const until of ["0060", "0082"]) {
    const { db, url } = await newDatabase();
    await makeEarlier(db, until);
    await db.close();
    const environment = {
      ...settingsOf({ url }),
      ADMIN_PORT: "0",
    };
    if (until === "0060") {
      for (const words of [["migrate"], ["serve"]]) {
        const { code, stderr } = await disburse(words, { ...environment, PORT: "0" });
        expect(code).toBe(1);
        expect(stderr).toContain("e28e0b65b552b6003a28702e3a3fa6891da1dd73");
        expect(stderr).toContain("run disburse migrate");
      }
    } else {
      const verify = await disburse(["ledger", "verify"], environment);
      expect([verify.code, verify.stderr]).toEqual([
        1,
        expect.stringContaining("The database is from before 0.1.0. Run disburse migrate"),
      ]);
      await (await serve(environment)).end();
      expect((await disburse(["ledger", "verify"], environment)).code).toBe(0);
    }
  }
});

test("a migration that builds an index concurrently first drops what an interruption left", () => {
  const building = readdirSync(migrations)
    .map((name) => readFileSync(join(migrations, name), "utf8"))
    .filter((sql) => /create (unique )?index concurrently/.test(sql));
  // The first migration has no large table, so it builds none this way.
  building.push(index);
  for (const sql of building) {
    expect(sql).toMatch(/^-- outside a transaction$/m);
    for (const [, name] of sql.matchAll(/create (?:unique )?index concurrently (\w+)/g))
      expect(sql).toContain(`drop index concurrently if exists ${name};`);
  }
});
