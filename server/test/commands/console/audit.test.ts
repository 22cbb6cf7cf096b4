// The audit log: one order, no gaps, and every change is detected.

import { randomBytes } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { newId } from "../../../src/platform/base/ids.ts";
import { connect, type Db } from "../../../src/platform/db/connect.ts";
import { findServiceRole } from "../../../src/platform/db/role.ts";
import { sealWith } from "../../../src/platform/encryption/seal.ts";
import type { Actor } from "../../../src/tenants/audit/actor.ts";
import { type AuditNote, recordAct } from "../../../src/tenants/audit/record.ts";
import { verifyAudit } from "../../../src/tenants/audit/verify.ts";
import { meAs } from "../../support/cli-operator.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { command } from "../../support/commands.ts";
import { startConsole } from "../../support/console.ts";
import { settingsOf } from "../../support/service.ts";

const service = await closeAfterTests(startConsole());
// The owner of the machine could do this: neither the service nor the owner of the tables may.
beforeEach(async () => {
  await service.db.pool.query("truncate audit_entry");
  await service.db.pool.query("update audit_head set number = 0, at_ms = 0, hash = '', mark = ''");
});

/** An actor and their action. */
type Act = Actor & AuditNote;

function act(changes: Partial<Act> = {}): Act {
  return {
    kind: "user",
    who: "operator:ada@example.com",
    action: "payout.approve",
    object: { kind: "payout", id: "1" },
    subaccountId: undefined,
    ip: "127.0.0.1",
    requestId: "r",
    ...changes,
  };
}

function record(...acts: Act[]): Promise<void> {
  const { db, seal } = service;
  return db.transaction(async (tx) => {
    for (const one of acts) await recordAct({ tx, seal }, one, one);
  });
}

async function faultOf(): Promise<string | undefined> {
  const { fault } = await verifyAudit(service);
  return fault && `${fault.number}: ${fault.what}`;
}

test("entries of many writers are in one order without gaps, and a rollback leaves no entry", async () => {
  const { db, seal } = service;
  await Promise.allSettled(
    Array.from({ length: 40 }, (_, index) =>
      db.transaction(async (tx) => {
        await recordAct({ tx, seal }, act(), act());
        if (index % 4 === 0) throw new Error("rolled back");
      }),
    ),
  );
  const { rows } = await db.pool.query(
    "select number::int, at_ms from audit_entry order by number",
  );
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 30 }, (_, at) => at + 1));
  expect(rows.map(({ at_ms }) => at_ms)).toEqual(rows.map(({ at_ms }) => at_ms).sort());
  expect(await verifyAudit(service)).toMatchObject({ entries: 30, fault: undefined });
});

test("entries with unusual values verify after the database has stored them", async () => {
  await record(
    act({
      after: { z: 1n, a: [1.5, { y: null, b: "\0 \ud800 ü" }], when: new Date(0), not: undefined },
    }),
    act({ who: "operator:\0", before: { 10: "ten", 9: 1e21, e: 1e-7 } }),
  );
  expect(await faultOf()).toBeUndefined();
});

const damage: [name: string, sql: string, fault: string][] = [
  [
    "a changed entry",
    "update audit_entry set who = 'operator:eve' where number = 2",
    "2: it was changed",
  ],
  ["an emptied field", "update audit_entry set after = '{}' where number = 3", "3: it was changed"],
  ["a missing entry", "delete from audit_entry where number = 2", "2: it is missing"],
  ["a missing first entry", "delete from audit_entry where number = 1", "1: it is missing"],
  [
    "missing last entries",
    "delete from audit_entry where number > 3",
    "4: the end is cut off: 1 more were",
  ],
  [
    "missing last entries with a head that matches",
    `with cut as (delete from audit_entry where number > 3)
     update audit_head set number = 3, hash = (select hash from audit_entry where number = 3)`,
    "4: the end that was noted is not ours",
  ],
  ["an emptied log", "truncate audit_entry", "1: the end is cut off: 4 more were"],
  [
    "a forged entry",
    `insert into audit_entry select 5, at_ms, who, action, object_kind, object_id, subaccount_id, before, after, ip,
       request_id, hash, hash from audit_entry where number = 4`,
    "5: it was changed, or never ours",
  ],
  [
    "two swapped entries",
    "update audit_entry set number = case number when 2 then 12 else 2 end where number in (2, 3); update audit_entry set number = 3 where number = 12",
    "2: it does not follow",
  ],
];

test.each(damage)("verify finds %s", async (_, sql, fault) => {
  await record(act(), act({ who: "operator:bob" }), act({ after: { amount: 5 } }), act());
  expect(await faultOf()).toBeUndefined();
  await service.db.pool.query(sql);
  expect(await faultOf()).toContain(fault);
});

test("verify finds a change of any field", async () => {
  await record(act(), act());
  const { rows } = await service.db.pool.query(
    `select column_name as name, data_type as type from information_schema.columns
     where table_name = 'audit_entry'`,
  );
  expect(rows).toHaveLength(15);
  const others: Record<string, string> = {
    bigint: "7",
    text: "'other'",
    uuid: `'${newId()}'`,
    jsonb: `'{"other": 1}'`,
  };
  for (const { name, type } of rows) {
    const client = await service.db.pool.connect();
    try {
      await client.query("begin");
      await client.query(`update audit_entry set ${name} = ${others[type]} where number = 2`);
      const run = async ({ text }: { text: string }, values?: unknown[]) =>
        (await client.query(text, values)).rows;
      const db = { ...service.db, run } as Db;
      expect((await verifyAudit({ ...service, db })).fault, name).toBeDefined();
    } finally {
      await client.query("rollback");
      client.release();
    }
  }
});

test("verify finds an entry that was written with another master key", async () => {
  await record(act());
  const seal = sealWith(randomBytes(32));
  await service.db.transaction((tx) => recordAct({ tx, seal }, act(), act()));
  expect(await faultOf()).toBe("2: it was changed, or never ours");
});

test("the service's role may add entries, but not change or delete them", async () => {
  await record(act());
  const role = await findServiceRole(service.db);
  const db = connect({ connection: { connectionString: service.url }, poolMax: 1, role });
  const { seal } = service;
  await db.transaction((tx) => recordAct({ tx, seal }, act(), act()));
  for (const text of [
    "update audit_entry set who = ''",
    "delete from audit_entry",
    "truncate audit_entry",
    "delete from audit_head",
  ]) {
    await expect(db.pool.query(text)).rejects.toMatchObject({ code: "42501" });
  }
  await db.close();
  expect(await verifyAudit(service)).toMatchObject({ entries: 2, fault: undefined });
});

test("disburse audit verify reports a fault with exit code 1, and checks a head that was saved elsewhere", async () => {
  const environment = settingsOf(service);
  const run = (...words: string[]) => command(["audit", ...words], environment);
  const auditor = service.enter("finance");
  await record(act(), act({ action: "key.create" }));
  const { code, stdout } = await run("verify", "--json");
  const { entries, head, fault } = JSON.parse(stdout);
  expect([code, entries, fault]).toEqual([0, 2, null]);
  const { json } = await auditor.get("/audit/head");
  expect(json).toMatchObject({ number: 2, verified: { number: 2, fault: "" } });
  expect(head).toBe(`2:${json.hash}`);
  const listed = await run("list", "--action", "key.create", "--json");
  expect(JSON.parse(listed.stdout)).toMatchObject([{ number: 2, who: act().who }]);

  await service.db.pool.query("truncate audit_entry");
  await service.db.pool.query("update audit_head set number = 0, hash = '', mark = ''");
  const expected = await run("verify", "--expect", head);
  expect(expected.code).toBe(1);
  expect(expected.stderr).toContain("Entry 1: the end is cut off: 2 more were written.");
  expect((await auditor.get("/audit/head")).json.verified.fault).toContain("cut off");
});

test("actions on the command line are in the audit log, by the user of the system, and a name given with --by is claimed", async () => {
  const environment = settingsOf(service);
  const { subaccountId, key } = await service.newCaller();
  const words = [
    [
      "ledger",
      "fund",
      "--amount",
      "10",
      "--currency",
      "AUD",
      "--reference",
      "b",
      "--subaccount",
      subaccountId,
    ],
    ["keys", "rotate", key],
    ["subaccount", "close", subaccountId],
    // The second close does nothing and is not recorded.
    ["subaccount", "close", subaccountId],
  ];
  for (const one of words) {
    expect((await command([...one, "--by", "ada"], environment)).code).toBe(0);
  }
  const { rows } = await service.db.pool.query(
    "select who, action, object_id, subaccount_id, after from audit_entry order by number",
  );
  const shared = { who: meAs("ada"), subaccount_id: subaccountId };
  expect(rows).toEqual([
    {
      ...shared,
      action: "ledger.fund",
      object_id: expect.any(String),
      after: { amount: 1000, currency: "AUD", reference: "b" },
    },
    {
      ...shared,
      action: "key.rotate",
      object_id: key,
      after: { name: "first", grace_seconds: 86_400, awaits_approval: false },
    },
    { ...shared, action: "subaccount.close", object_id: subaccountId, after: {} },
  ]);
  expect(await faultOf()).toBeUndefined();
});

test("a command refuses the email and the name of a user of the console with --by", async () => {
  const environment = settingsOf(service);
  const { subaccountId } = await service.newCaller();
  const { ready, person } = service.enter("finance");
  await ready;
  for (const name of [person.email, person.email.toUpperCase(), person.name]) {
    const refused = await command(["subaccount", "close", subaccountId, "--by", name], environment);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      `--by: ${name} is a user of the console. Leave --by out, or give a name that no user has.\n`,
    ]);
  }
  const { rows } = await service.db.pool.query("select from audit_entry");
  expect(rows).toHaveLength(0);
});

test("the console lists, pages, filters and exports the audit log, for users who may read it", async () => {
  const { subaccountId: ours } = await service.newCaller();
  const theirs = newId();
  for (const subaccountId of [ours, theirs, undefined]) {
    await record(
      act({ subaccountId, who: "operator:bob" }),
      act({ subaccountId, action: "key.create", object: { kind: "api_key", id: "=ak" } }),
    );
  }
  const auditor = service.enter("finance");
  const numbers = async (path: string) => {
    const { status, json } = await auditor.get(path);
    expect(status).toBe(200);
    return [json.rows.map(({ number }: { number: number }) => number), json.next];
  };
  expect(await numbers("/audit?limit=4")).toEqual([[6, 5, 4, 3], "3"]);
  expect(await numbers("/audit?limit=4&cursor=3")).toEqual([[2, 1], null]);
  expect(await numbers(`/audit?subaccount_id=${ours}`)).toEqual([[2, 1], null]);
  expect(await numbers("/audit?who=operator:bob&limit=2")).toEqual([[5, 3], "3"]);
  expect(await numbers("/audit?action=key.create")).toEqual([[6, 4, 2], null]);
  expect(await numbers(`/audit?object_id=%3Dak&subaccount_id=${theirs}`)).toEqual([[4], null]);
  const [{ at }] = (await auditor.get("/audit?cursor=4&limit=1")).json.rows;
  const [until] = await numbers(`/audit?to=${at + 1}`);
  const [since] = await numbers(`/audit?from=${at}`);
  expect(until).toEqual(expect.arrayContaining([3, 2, 1]));
  expect(since).toEqual(expect.arrayContaining([6, 5, 4, 3]));
  expect(await numbers(`/audit?from=${Date.now() + 60_000}`)).toEqual([[], null]);
  expect(await numbers("/audit?to=5")).toEqual([[], null]);

  const csv = await auditor.get(`/audit.csv?subaccount_id=${ours}`);
  expect(csv.headers.get("content-disposition")).toContain("audit.csv");
  const lines = csv.text.trim().split("\n");
  expect(lines).toHaveLength(3);
  expect(lines[1]).toContain(",key.create,api_key,'=ak,");
});
