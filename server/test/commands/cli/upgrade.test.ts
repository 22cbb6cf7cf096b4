// An upgrade: the version before serves without a failed request while the new one migrates, and does not start again
// afterwards. The new version is the packed one with two more migrations.

import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { writePackage } from "../../../pack.ts";
import { disburse, serve } from "../../support/process.ts";
import { ada, masterKey, newCaller, newDatabase } from "../../support/service.ts";

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

function newVersion(): string {
  const folder = mkdtempSync(join(tmpdir(), "disburse-upgrade-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const packed = join(folder, "disburse");
  writePackage(packed);
  symlinkSync(join(root, "node_modules"), join(packed, "node_modules"));
  const own = join(root, "server", "node_modules");
  if (existsSync(own)) symlinkSync(own, join(packed, "server", "node_modules"));
  const added = join(packed, "server", "src", "platform", "db", "migrations");
  writeFileSync(join(added, "9998_column.sql"), column);
  writeFileSync(join(added, "9999_index.sql"), index);
  return join(packed, "bin", "disburse");
}

test("the version before serves while the new one migrates, and refuses to start afterwards", async () => {
  const { db, url, seal } = await newDatabase();
  onTestFinished(() => db.close());
  const environment = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    DATABASE_URL: url,
    DISBURSE_MASTER_KEY: masterKey.toString("base64"),
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
  const migrating = spawn(newVersion(), ["migrate", "--json"], { env: environment });
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

test("a migration that builds an index concurrently first drops what an interruption left", () => {
  const building = readdirSync(migrations)
    .map((name) => readFileSync(join(migrations, name), "utf8"))
    .filter((sql) => /create (unique )?index concurrently/.test(sql));
  expect(building.length).toBeGreaterThan(0);
  for (const sql of building) {
    expect(sql).toMatch(/^-- outside a transaction$/m);
    for (const [, name] of sql.matchAll(/create (?:unique )?index concurrently (\w+)/g))
      expect(sql).toContain(`drop index concurrently if exists ${name};`);
  }
});
