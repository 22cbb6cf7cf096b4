// A breaking migration: it is refused until every process of the previous version has stopped.

import { expect, test } from "vitest";
import { connect } from "../../../src/platform/db/connect.ts";
import { migrate, readMigrations } from "../../../src/platform/db/migrate.ts";
import { applyMigrations } from "../../support/apply-migrations.ts";
import { command } from "../../support/commands.ts";
import { emptyDatabase, masterKey } from "../../support/service.ts";

test("a breaking migration is refused while the previous version is connected, and applied afterwards", async () => {
  const { db, url } = await emptyDatabase();
  const all = readMigrations();
  const breaking = all.findIndex(({ text }) => text.startsWith("-- BREAKING: "));
  await applyMigrations(db, all.slice(0, breaking), null);
  await db.close();

  const before = connect({ connection: { connectionString: url }, poolMax: 1 });
  // A pool closes connections that are idle.
  const held = await before.pool.connect();
  const environment = { DATABASE_URL: url, DISBURSE_MASTER_KEY: masterKey.toString("base64") };
  const refused = await command(["migrate"], environment);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(
    "Stop every process of the version before, then migrate and start.",
  );
  await held.query("select from person");

  held.release();
  await before.close();
  const migrated = await command(["migrate"], environment);
  expect([migrated.code, migrated.stderr]).toEqual([0, expect.anything()]);
  const after = connect({ connection: { connectionString: url }, poolMax: 1 });
  await after.pool.query("select from console_user");
  expect(await migrate(after)).toEqual([]);
  await after.close();
});
