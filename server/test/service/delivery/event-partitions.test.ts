// Events and attempts are partitioned by time: partitions are created ahead and dropped when they are too old.

import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "../../../src/platform/base/ids.ts";
import { connect, type Db } from "../../../src/platform/db/connect.ts";
import { findServiceRole } from "../../../src/platform/db/role.ts";
import { deleteExpiredNonces } from "../../../src/platform/idempotency/queries.ts";
import { limits } from "../../../src/platform/limits/limits.ts";
import {
  deleteNotesOfOldEvents,
  keepEventPartitions,
} from "../../../src/webhooks/events/queries.ts";
import { idAt } from "../../support/committed-events.ts";
import { newDatabase } from "../../support/service.ts";

const dayMs = 86_400_000;
let db: Db;
let service: Db;
beforeAll(async () => {
  const made = await newDatabase();
  db = made.db;
  const role = await findServiceRole(db);
  service = connect({ connection: { connectionString: made.url }, poolMax: 2, role });
});
afterAll(() => Promise.all([db.close(), service.close()]));

async function partitionsOf(parent: string): Promise<string[]> {
  const { rows } = await db.pool.query(
    "select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1",
    [parent],
  );
  return rows.map(({ name }) => name);
}

async function addEvent(atMs: number): Promise<string> {
  const { rows } = await db.pool.query(
    `insert into event (subaccount_id, id, order_key, type, body, created_at_ms)
     values ($1, $2, $1, 'payoutCreated', '{}', $3) returning tableoid::regclass::text as name`,
    [newId(), idAt(atMs), atMs],
  );
  return rows[0].name;
}

const day = (ms: number) => new Date(ms).toISOString().slice(0, 10).replaceAll("-", "");

test("there are partitions for today and the next days, and no row lands in the default partition", async () => {
  const names = await partitionsOf("delivery_attempt");
  for (const ahead of [0, 1, 2, 3]) {
    expect(names).toContain(`delivery_attempt_${day(Date.now() + ahead * dayMs)}`);
  }
  for (const ahead of [0, 1, 3, 6]) {
    expect(await addEvent(Date.now() + ahead * dayMs)).toMatch(/^event_\d{8}$/);
  }
});

test("the service may maintain partitions, though it may not create or drop tables itself", async () => {
  await expect(service.pool.query("create table mine ()")).rejects.toThrow("permission denied");
  await expect(service.pool.query("drop table event_default")).rejects.toThrow("must be owner");
  await keepEventPartitions(service, 90);
});

test("old rows are dropped with their partition, and newer rows are kept", async () => {
  const startOf = async (daysAgo: number) => {
    const startMs = Math.floor((Date.now() - daysAgo * dayMs) / dayMs) * dayMs;
    const name = `event_${day(startMs)}`;
    await db.pool.query(
      `create table ${name} partition of event
       for values from ('${idAt(startMs).slice(0, 13)}-0000-0000-000000000000')
       to ('${idAt(startMs + 7 * dayMs).slice(0, 13)}-0000-0000-000000000000')`,
    );
    return { name, startMs };
  };
  const old = await startOf(limits.eventKeptDays + 10);
  const young = await startOf(limits.eventKeptDays - 10);
  expect(await addEvent(old.startMs + 1)).toBe(old.name);
  expect(await addEvent(young.startMs + 1)).toBe(young.name);
  await keepEventPartitions(service, 90);
  const left = await partitionsOf("event");
  expect(left).not.toContain(old.name);
  expect(left).toContain(young.name);
});

test("old rows of the default partition are deleted, too", async () => {
  expect(await addEvent(Date.now() - 300 * dayMs)).toBe("event_default");
  expect(await addEvent(Date.now() - 60 * dayMs)).toBe("event_default");
  await keepEventPartitions(service, 90);
  const { rows } = await db.pool.query("select count(*)::int from event_default");
  expect(rows).toEqual([{ count: 1 }]);
});

test("several processes may maintain partitions at once", async () => {
  await db.pool.query(`drop table delivery_attempt_${day(Date.now() + 3 * dayMs)}`);
  await Promise.all([1, 2, 3, 4].map(() => keepEventPartitions(service, 90)));
  expect(await partitionsOf("delivery_attempt")).toContain(
    `delivery_attempt_${day(Date.now() + 3 * dayMs)}`,
  );
});

test("an old partition that is being read delays no new one, and is dropped the next time", async () => {
  const startMs = Math.floor((Date.now() - (limits.attemptKeptDays + 5) * dayMs) / dayMs) * dayMs;
  const old = `delivery_attempt_${day(startMs)}`;
  const coming = `delivery_attempt_${day(Date.now() + 3 * dayMs)}`;
  await db.pool.query(
    `create table ${old} partition of delivery_attempt
     for values from ('${idAt(startMs).slice(0, 13)}-0000-0000-000000000000')
     to ('${idAt(startMs + dayMs).slice(0, 13)}-0000-0000-000000000000')`,
  );
  await db.pool.query(`drop table ${coming}`);
  const reader = await db.pool.connect();
  await reader.query("begin");
  await reader.query(`select from ${old}`);
  await keepEventPartitions(service, 90);
  expect(await partitionsOf("delivery_attempt")).toEqual(expect.arrayContaining([old, coming]));
  await reader.query("commit");
  reader.release();
  await keepEventPartitions(service, 90);
  expect(await partitionsOf("delivery_attempt")).not.toContain(old);
});

test("the public role can't create or drop partitions", async () => {
  const { rows } = await db.pool.query(
    "select has_function_privilege('public', 'keep_partitions_of(text, int, int)', 'execute') as may",
  );
  expect(rows).toEqual([{ may: false }]);
});

test("rows about events are deleted when the events are too old", async () => {
  const subaccountId = newId();
  const [old, young] = [limits.eventKeptDays + 1, 1].map((days) => idAt(Date.now() - days * dayMs));
  const insert = (text: string, ...more: unknown[]) => db.pool.query(text, [subaccountId, ...more]);
  for (const id of [old, young]) {
    await insert("insert into delivery_abandoned values ($1, $2, 1, 1)", id);
    await insert("insert into event_resend values ($1, $2, $2, 'test')", id);
    await insert(
      `insert into event_recovery (subaccount_id, id, since_ms, until_ms, with_delivered, who, after_id, done_at_ms)
       values ($1, $2, 1, 1, true, 'test', $2, 1)`,
      id,
    );
  }
  const underWay = idAt(Date.now() - 200 * dayMs);
  await insert(
    `insert into event_recovery (subaccount_id, id, since_ms, until_ms, with_delivered, who, after_id)
     values ($1, $2, 1, 1, true, 'test', $2)`,
    underWay,
  );
  await deleteNotesOfOldEvents(service, Date.now(), 90);
  const left = async (table: string, column = "id") => {
    const { rows } = await insert(
      `select ${column} as id from ${table} where subaccount_id = $1 order by 1`,
    );
    return rows.map(({ id }) => id);
  };
  expect(await left("delivery_abandoned", "event_id")).toEqual([young]);
  expect(await left("event_resend")).toEqual([young]);
  expect(await left("event_recovery")).toEqual([underWay, young]);
});

test("12,000 expired nonces are deleted, and one that is still valid is kept", async () => {
  await db.pool.query(
    `insert into api_nonce select $1, 'key', n::text, $1, n from generate_series(1, 12001) n`,
    [newId()],
  );
  await deleteExpiredNonces(service, 12_001);
  const { rows } = await db.pool.query("select nonce from api_nonce");
  expect(rows).toEqual([{ nonce: "12001" }]);
});
