// A breaking migration: it is refused until every process of the previous version has stopped.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { connect } from "../../../src/platform/db/connect.ts";
import { nextVersion } from "../../support/next-version.ts";
import { newDatabase, settingsOf } from "../../support/service.ts";

const breaking = `-- BREAKING: stop every process of the version before, migrate, start.
alter table receiver_word rename to word_of_receiver;
`;

test("a breaking migration is refused while the previous version is connected, and applied afterwards", async () => {
  const { db, url } = await newDatabase();
  await db.close();
  const env = {
    PATH: process.env.PATH,
    ...settingsOf({ url }),
  };
  const next = nextVersion({ "9999_breaking.sql": breaking });
  const migrated = () =>
    promisify(execFile)(next, ["migrate", "--json"], { env }).then(
      ({ stdout }) => ({ code: 0, stdout, stderr: "" }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );

  const before = connect({ connection: { connectionString: url }, poolMax: 1 });
  // A pool closes connections that are idle.
  const held = await before.pool.connect();
  const refused = await migrated();
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(
    "Stop every process of the version before, then migrate and start.",
  );
  await held.query("select from receiver_word");

  held.release();
  await before.close();
  const done = await migrated();
  expect([done.code, JSON.parse(done.stdout || "{}").applied]).toEqual([0, ["9999_breaking.sql"]]);
  expect(JSON.parse((await migrated()).stdout).applied).toEqual([]);
});
