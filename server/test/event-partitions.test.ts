// Events and attempts lie in partitions by time: made ahead of it, and dropped when it is over.

import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, type Db } from "../src/db/connect.ts";
import { findServiceRole } from "../src/db/role.ts";
import { keepEventPartitions } from "../src/events/queries.ts";
import { newId } from "../src/ids.ts";
import { limits } from "../src/limits.ts";
import { newDatabase } from "./service.ts";
import { idAt } from "./telling.ts";

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

test("there is room for today and for days to come, and nothing falls beside it", async () => {
  const names = await partitionsOf("delivery_attempt");
  for (const ahead of [0, 1, 2, 3]) {
    expect(names).toContain(`delivery_attempt_${day(Date.now() + ahead * dayMs)}`);
  }
  for (const ahead of [0, 1, 3, 6]) {
    expect(await addEvent(Date.now() + ahead * dayMs)).toMatch(/^event_\d{8}$/);
  }
});

test("the service may keep them, though it may make and drop no table of its own", async () => {
  await expect(service.pool.query("create table mine ()")).rejects.toThrow("permission denied");
  await expect(service.pool.query("drop table event_default")).rejects.toThrow("must be owner");
  await keepEventPartitions(service);
});

test("what is older than it is kept goes with its table, and what is not stays", async () => {
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
  await keepEventPartitions(service);
  const left = await partitionsOf("event");
  expect(left).not.toContain(old.name);
  expect(left).toContain(young.name);
});

test("what fell beside every partition goes too when it is old", async () => {
  expect(await addEvent(Date.now() - 300 * dayMs)).toBe("event_default");
  expect(await addEvent(Date.now() - 60 * dayMs)).toBe("event_default");
  await keepEventPartitions(service);
  const { rows } = await db.pool.query("select count(*)::int from event_default");
  expect(rows).toEqual([{ count: 1 }]);
});

test("several processes keep them at once", async () => {
  await db.pool.query(`drop table delivery_attempt_${day(Date.now() + 3 * dayMs)}`);
  await Promise.all([1, 2, 3, 4].map(() => keepEventPartitions(service)));
  expect(await partitionsOf("delivery_attempt")).toContain(
    `delivery_attempt_${day(Date.now() + 3 * dayMs)}`,
  );
});
