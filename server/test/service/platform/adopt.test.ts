// Databases from before 0.1.0: one at the last migration of that time is taken over, others are refused with what to do.

import { readFileSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import { connect, type Db } from "../../../src/platform/db/connect.ts";
import { dumpSchema, schemaFile } from "../../../src/platform/db/dump-schema.ts";
import { migrate, readMigrations, requireSameSchema } from "../../../src/platform/db/migrate.ts";
import { makeEarlier } from "../../support/earlier-database.ts";
import { ada, addAccount, newDatabase, startService } from "../../support/service.ts";

const names = readMigrations().map(({ name }) => name);
/** Those of 0.1.0 were folded into the first. */
const later = names.slice(1);
const commit = "e28e0b65b552b6003a28702e3a3fa6891da1dd73";

/** Connected as a command that migrates is. */
function migrating(url: string): Db {
  const connection = { connectionString: url, application_name: "disburse migration" };
  const db = connect({ connection, poolMax: 2 });
  onTestFinished(() => db.close());
  return db;
}

/** PostgreSQL shows a connection for a moment after it was closed. */
function untilAlone({ pool }: Db): Promise<void> {
  return vi.waitFor(async () => {
    const { rowCount } = await pool.query(
      `select from pg_stat_activity
       where datname = current_database() and application_name = 'disburse'`,
    );
    expect(rowCount).toBe(0);
  });
}

async function newEarlier(until?: string): Promise<Db & { url: string }> {
  const { db: before, url } = await newDatabase();
  await before.close();
  const db = migrating(url);
  await makeEarlier(db, until);
  await untilAlone(db);
  return { ...db, url };
}

const appliedTo = async (db: Db) =>
  (await db.pool.query("select name from migration order by name")).rows.map(({ name }) => name);

test.each(["0082", "0078"])(
  "a database at %s is taken over, with the schema of a new one",
  async (until) => {
    const db = await newEarlier(until);
    expect(await migrate(db)).toEqual(later);
    expect(await appliedTo(db)).toEqual(names);
    expect(await dumpSchema(db)).toBe(readFileSync(schemaFile, "utf8"));
    await requireSameSchema(db);
    expect(await migrate(db)).toEqual([]);
  },
);

test.each(["0060", "0077", "0080"])(
  "a database at %s is refused with the commit that brings it further, and nothing is changed",
  async (until) => {
    const db = await newEarlier(until);
    const before = await appliedTo(db);
    await expect(migrate(db)).rejects.toThrow(commit);
    await expect(migrate(db)).rejects.toThrow(`The database is at migration ${before.at(-1)}`);
    await expect(migrate(db)).rejects.toThrow("disburse migrate");
    expect(await appliedTo(db)).toEqual(before);
  },
);

test("a changed checksum, or a migration that is missing in between, is not the last state", async () => {
  for (const change of [
    "update migration set checksum = '' where name like '0013%'",
    "delete from migration where name like '0013%'",
    "insert into migration (name, checksum) values ('0083_more.sql', '')",
  ]) {
    const db = await newEarlier();
    await db.pool.query(change);
    await expect(migrate(db)).rejects.toThrow(commit);
  }
});

test("commands that don't migrate send such a database to disburse migrate", async () => {
  const db = await newEarlier();
  await expect(requireSameSchema(db)).rejects.toThrow("Run disburse migrate");
});

test("it is refused while a process of the version before is connected", async () => {
  const db = await newEarlier();
  const before = connect({ connection: { connectionString: db.url }, poolMax: 1 });
  const held = await before.pool.connect();
  await expect(migrate(db)).rejects.toThrow("Stop every process of the version before");
  held.release();
  await before.close();
  await untilAlone(db);
  expect(await migrate(db)).toEqual(later);
});

test("rows that a backfill has not reached keep it as it is, and the command is named", async () => {
  const service = await startService();
  const { subaccountId, disburse } = await service.newCaller();
  const receiverId = (await disburse.receivers.create(ada())).receiver_id;
  await addAccount(service, subaccountId, receiverId);
  await service.close();
  const db = migrating(service.url);
  await makeEarlier(db);
  await untilAlone(db);
  const before = await appliedTo(db);

  const personKeys = "disburse master-key person-keys";
  for (const [change, undo, why] of [
    [
      "update installation set person_keys = null",
      "update installation set person_keys = 'current'",
      personKeys,
    ],
    [
      "create table kept as select id, person_key from receiver; update receiver set person_key = null",
      "update receiver r set person_key = kept.person_key from kept where kept.id = r.id; drop table kept",
      personKeys,
    ],
    [
      "create table kept as select id, contact_sealed from receiver_account; update receiver_account set contact_sealed = null",
      "update receiver_account a set contact_sealed = kept.contact_sealed from kept where kept.id = a.id; drop table kept",
      personKeys,
    ],
    [
      "update bank_details set account_number_sealed = set_byte(account_number_sealed, 0, 1)",
      "update bank_details set account_number_sealed = set_byte(account_number_sealed, 0, 3)",
      personKeys,
    ],
    [
      "update bank_details set country = 'NZL', account_number_tail = '1099', mark_version = null",
      "update bank_details set mark_version = 1",
      "account numbers in New Zealand",
    ],
    [
      `insert into webhook_endpoint_secret (subaccount_id, id, sealed, created_at_ms)
       values ('${subaccountId}', '${receiverId}', '\\x01', 0)`,
      "delete from webhook_endpoint_secret where created_at_ms = 0",
      "webhook secrets from before migration 0027",
    ],
  ] as const) {
    await db.pool.query(change);
    const refused = await migrate(db).catch((error: Error) => error.message);
    expect(refused, change).toContain(why);
    expect(refused).toMatch(/^- \d+ /m);
    expect(refused).toContain(commit);
    expect(await appliedTo(db)).toEqual(before);
    await db.pool.query(undo);
  }
  expect(await migrate(db)).toEqual(later);
  expect(await appliedTo(db)).toEqual(names);
});
