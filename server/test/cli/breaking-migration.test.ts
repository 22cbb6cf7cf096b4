// A breaking migration: it is refused until every process of the previous version has stopped.

import { expect, test } from "vitest";
import { connect } from "../../src/db/connect.ts";
import { migrate, readMigrations, statementsOf } from "../../src/db/migrate.ts";
import { command } from "../support/commands.ts";
import { emptyDatabase, masterKey } from "../support/service.ts";

test("a breaking migration is refused while the previous version is connected, and applied afterwards", async () => {
  const { db, url } = await emptyDatabase();
  const all = readMigrations();
  const breaking = all.findIndex(({ text }) => text.startsWith("-- BREAKING: "));
  await db.pool.query(
    "create table migration (name text primary key, checksum text not null, version text)",
  );
  for (const { name, text, checksum } of all.slice(0, breaking)) {
    for (const statement of /^-- outside a transaction$/m.test(text)
      ? statementsOf(text)
      : [text]) {
      await db.pool.query(statement);
    }
    await db.pool.query("insert into migration (name, checksum) values ($1, $2)", [name, checksum]);
  }
  await db.close();

  const before = connect({ connection: { connectionString: url }, poolMax: 1 });
  await before.pool.query("select from person");
  const environment = { DATABASE_URL: url, DISBURSE_MASTER_KEY: masterKey.toString("base64") };
  const refused = await command(["migrate"], environment);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(
    "Stop every process of the version before, then migrate and start.",
  );
  await before.pool.query("select from person");

  await before.close();
  const migrated = await command(["migrate"], environment);
  expect([migrated.code, migrated.stderr]).toEqual([0, expect.anything()]);
  const after = connect({ connection: { connectionString: url }, poolMax: 1 });
  await after.pool.query("select from console_user");
  expect(await migrate(after)).toEqual([]);
  await after.close();
});
