// The request log: which parts of a request are stored, and that writing it disturbs no request.

import { createHash } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "../../../src/platform/base/ids.ts";
import { connect } from "../../../src/platform/db/connect.ts";
import { findServiceRole } from "../../../src/platform/db/role.ts";
import { limits } from "../../../src/platform/limits/limits.ts";
import { createMetrics, type Metrics } from "../../../src/platform/metrics/metrics.ts";
import { type LoggedRequest, valuesOf } from "../../../src/tenants/request-log/chunk.ts";
import { keepRequestPartitions } from "../../../src/tenants/request-log/queries.ts";
import { startRequestLog } from "../../../src/tenants/request-log/writer.ts";
import { newPayout } from "../../support/post-requests.ts";
import {
  type Answer,
  ada,
  newDatabase,
  type Service,
  sign,
  startService,
  type TestCaller,
} from "../../support/service.ts";

const dayMs = 86_400_000;
let service: Service;
let caller: TestCaller;
let metrics: Metrics;
beforeAll(async () => {
  metrics = createMetrics();
  service = await startService({ logsRequests: true, metrics });
  caller = await service.newCaller();
});
afterAll(() => service.close());

/** Newest first. */
async function logOf({ subaccountId }: { subaccountId: string } = caller) {
  await service.flushRequests();
  const { rows } = await service.db.pool.query(
    "select * from request_log where subaccount_id = $1 order by id desc",
    [subaccountId],
  );
  return rows.map(({ detail, ...row }) => ({ ...row, detail: detail && JSON.parse(detail) }));
}

async function countOf(series: string): Promise<number> {
  const line = (await metrics.text()).split("\n").find((one) => one.startsWith(series));
  return Number(line?.split(" ").at(-1));
}

describe("a row of the request log", () => {
  test("of a successful read has caller, route, duration and IP address, and nothing else", async () => {
    const { receiver_id } = await caller.disburse.receivers.create(ada());
    const headers = { "user-agent": "acme-payroll/2.1 (Ada's laptop)" };
    const { headers: answered } = await caller.call("GET", `/api/receiver/${receiver_id}`, {
      headers,
    });
    const [row] = await logOf();
    expect(row).toEqual({
      subaccount_id: caller.subaccountId,
      id: answered.get("x-request-id"),
      object_id: receiver_id,
      took_us: expect.any(Number),
      status: 200,
      key: caller.key,
      method: "GET",
      route: "/api/receiver/:id",
      ip: "127.0.0.1",
      agent: "acme-payroll/2.1",
      query: null,
      codes: null,
      detail: null,
    });
    expect(row.took_us).toBeGreaterThan(0);
  });

  test("of a write has the redacted body, the created ids, and part of the idempotency key", async () => {
    const payer = await service.newCaller();
    const request = { ...(await newPayout(payer)), note: "for Ada", reference: "INV 7" };
    const headers = { "idempotency-key": "a key of mine".replaceAll(" ", "-") };
    const once = await payer.call("POST", "/api/payout/single", { body: request, headers });
    await payer.call("POST", "/api/payout/single", { body: request, headers });
    const [again, first] = await logOf(payer);
    const body = { ...request, note: "*", reference: "*" };
    const { payout_id } = once.json.payload;
    expect(first).toMatchObject({ object_id: payout_id, detail: { body, idempotency: "sent" } });
    expect(again).toMatchObject({ object_id: payout_id, detail: { idempotency: "replayed" } });

    const { receiver_id } = await payer.disburse.receivers.create(ada());
    expect((await logOf(payer))[0].object_id).toBe(receiver_id);
    const many = {
      payouts: Array.from({ length: 7 }, () => ({ ...request, allow_duplicate: true })),
    };
    const batch = await payer.call("POST", "/api/payout/batch", { body: many });
    const [row] = await logOf(payer);
    expect(row.object_id).toBe(batch.json.payload.batch_id);
    const one = { ...body, allow_duplicate: true };
    expect(row.detail.body.payouts).toEqual([one, one, one, one, one, "and 2 more"]);
  });

  test("of a refusal has its codes, and the wrong fields unless they are unknown", async () => {
    const body = { ...ada({ email: "no address" }), "ada@example.com": 1, colour: "red" };
    const { status } = await caller.call("POST", "/api/receiver", { body });
    const [row] = await logOf();
    expect(row).toMatchObject({ status, codes: "REVR214 REVR231", object_id: null });
    expect(row.detail.problems).toEqual([
      ["REVR214", "email"],
      ["REVR231", "*"],
      ["REVR231", "*"],
    ]);
    expect(row.detail.body).toMatchObject({ email: "*", country: "AUS", "*": "*" });
  });

  test("has known query parameters and ids of the path, and redacts all others", async () => {
    await caller.call("GET", "/api/receiver?email=ada%40example.com&status=active&limit=5&q=x");
    expect((await logOf())[0].query).toBe("email=*&status=active&limit=5&*=*");
    // A value of an unexpected form may be personal.
    await caller.call("GET", "/api/receiver?status=Ada&limit=412345678&cursor=ada");
    expect((await logOf())[0].query).toBe("status=*&limit=*&cursor=*");
    await caller.call("GET", "/api/receiver/ada@example.com");
    expect((await logOf())[0]).toMatchObject({ route: "/api/receiver/:id", object_id: null });
    await caller.call("GET", `/api/receiver/ada/${newId()}?email=a`);
    const [row] = await logOf();
    expect(row).toMatchObject({ status: 404, route: "", codes: "SYST101" });
    expect(row.query).toMatch(/^\/api\/receiver\/\*\/[0-9a-f-]{36}\?email=\*$/);
  });

  test("is written for a subaccount, and not for an unknown key", async () => {
    const other = await service.newCaller();
    await other.disburse.subaccount.get();
    const count = async () =>
      (await service.db.pool.query("select count(*)::int from request_log")).rows[0].count;
    expect(await logOf(other)).toHaveLength(1);
    const before = await count();
    for (const headers of [{ "x-api-key": "ak_test_nobody" }, { "x-api-key": "" }]) {
      expect((await other.call("GET", "/api/subaccount", { headers })).status).toBe(401);
    }
    await fetch(`${service.baseUrl}/healthz`);
    await service.flushRequests();
    expect(await count()).toBe(before);
  });
});

describe("why a signature failed", () => {
  // The rows of one key's failed signatures are limited, so each test has its own key.
  beforeEach(async () => {
    caller = await service.newCaller();
  });
  const body = JSON.stringify(ada());
  const sending = (by: TestCaller, header: string, path = "/api/receiver", sent = body) =>
    by.call("POST", path, { raw: sent, headers: { signature: header } });
  const signed = (changes: Partial<Parameters<typeof sign>[0]> = {}, by = caller) => {
    const { key, secret } = by;
    const request = {
      key,
      secret,
      method: "POST",
      path: "/api/receiver",
      body,
      version: 2 as const,
    };
    return sign({ ...request, ...changes });
  };
  /** The row of the request. It is added once the key is looked up, which may be after the response. */
  const rowOf = async ({ headers }: Answer, by = caller) => {
    const find = async () => (await logOf(by)).find(({ id }) => id === headers.get("x-request-id"));
    await expect.poll(find).toBeDefined();
    return find();
  };

  test("AUTH105: a test subaccount sees the text that should have been signed, and the difference", async () => {
    const [ms, nonce] = [Date.now(), "nonce-0123456789"];
    const header = signed({ ms, nonce, path: "/api" });
    const answer = await sending(caller, header);
    expect(answer.status).toBe(401);
    const row = await rowOf(answer);
    const hash = createHash("sha256").update(body).digest("hex");
    expect(row).toMatchObject({ status: 401, codes: "AUTH105" });
    expect(row.detail).toEqual({
      bytes: body.length,
      signature: {
        expected: `v2\n${ms}\n${nonce}\n${caller.key}\nPOST\n/api/receiver\n${hash}`,
        received: `v2.${ms}.${nonce}.${header.slice(-64, -56)}…`,
        part: "secret",
        hint: expect.stringContaining("serialised again"),
      },
    });
    // The row has neither the right signature nor the whole received one.
    expect(JSON.stringify(row)).not.toContain(header.slice(-64));
    expect(JSON.stringify(row)).not.toContain(signed({ ms, nonce }).slice(-64));
  });

  test.each([
    ["path", "without its query", () => signed({ path: "/api/receiver" })],
    [
      "path",
      "whole address",
      () => signed({ path: `http://127.0.0.1:${service.port}/api/receiver?limit=1` }),
    ],
    ["method", "small letters", () => signed({ path: "/api/receiver?limit=1", method: "post" })],
    ["body", "left out", () => signed({ path: "/api/receiver?limit=1", body: "" })],
    ["body", "line feed", () => signed({ path: "/api/receiver?limit=1", body: `${body}\n` })],
    [
      "secret",
      "belongs to another key",
      () => signed({ path: "/api/receiver?limit=1", secret: "sk_test_other" }),
    ],
    ["secret", "only the time and the key", () => signed({ version: 1, secret: "sk_test_other" })],
    [
      "time",
      "in seconds",
      () => {
        const [ms, key] = [Date.now(), caller.key];
        const seconds = signed({ version: 1, ms: Math.floor(ms / 1000), key }).split(".")[1];
        return `${ms}.${seconds}`;
      },
    ],
    ["header", "10 digits", () => `${Math.floor(Date.now() / 1000)}.${"a".repeat(64)}`],
    ["header", "capitals", () => `${Date.now()}.${"A".repeat(64)}`],
    ["header", "a secret", () => caller.secret],
  ])("the %s is reported as the cause: %s", async (part, hint, header) => {
    const answer = await sending(caller, header(), "/api/receiver?limit=1");
    const { detail } = await rowOf(answer);
    expect(detail.signature).toMatchObject({ part, hint: expect.stringContaining(hint) });
    expect(JSON.stringify(await logOf())).not.toContain(caller.secret);
  });

  test("a live subaccount's log has only the failure and the size of the body", async () => {
    const live = await service.newCaller({ mode: "live" });
    const row = await rowOf(await sending(live, signed({ path: "/api" }, live)), live);
    expect(row).toMatchObject({ codes: "AUTH105", detail: { bytes: body.length } });
    expect(Object.keys(row.detail)).toEqual(["bytes"]);
  });

  test("personal values of a query are redacted in the text that should have been signed", async () => {
    const header = signed({ path: "/api" });
    const answer = await sending(caller, header, "/api/receiver?email=ada@example.com");
    const { detail } = await rowOf(answer);
    expect(detail.signature.expected).toContain("\n/api/receiver?email=*\n");
  });

  test("rows of one key's failed signatures are limited, and the others are counted", async () => {
    const named = await service.newCaller();
    const dropped = 'disburse_request_log_dropped_total{reason="unproven"}';
    const before = await countOf(dropped);
    const sent = limits.unprovenPerKey * 3;
    const startMs = performance.now();
    await Promise.all(
      Array.from({ length: sent }, () => sending(named, signed({ path: "/api" }, named))),
    );
    const droppedNow = async () => (await countOf(dropped)) - before;
    await expect.poll(async () => (await logOf(named)).length + (await droppedNow())).toBe(sent);
    const seconds = (performance.now() - startMs) / 1000;
    const written = (await logOf(named)).length;
    expect(written).toBeGreaterThanOrEqual(limits.unprovenPerKey);
    expect(written).toBeLessThanOrEqual(Math.ceil(limits.unprovenPerKey * (1 + seconds)));
  });
});

describe("writing the request log does not disturb requests", () => {
  const rowOf = (subaccountId: string): LoggedRequest => ({
    whose: valuesOf({ uuid: subaccountId }, "ak"),
    what: valuesOf("GET", "/api/balance"),
    ip: valuesOf(undefined),
    agent: valuesOf(undefined),
    ...{ id: newId(), objectId: undefined, tookUs: 5, status: 200 },
    ...{ query: undefined, codes: undefined, detail: "x".repeat(1_000) },
  });

  test("rows are written in batches, also at the end, and rows beyond the limit are counted", async () => {
    const own = createMetrics();
    const { db, url } = await newDatabase(own);
    const log = { warn: () => {} };
    const requestLog = startRequestLog({ db, log, metrics: own });
    const subaccountId = newId();
    const count = async () =>
      (await db.pool.query("select count(*)::int from request_log")).rows[0].count;
    for (let row = 0; row < 100; row += 1) requestLog.add(rowOf(subaccountId));
    await requestLog.flush();
    expect(await count()).toBe(100);
    const { rows } = await db.pool.query(
      "select count(distinct xmin::text)::int as statements from request_log",
    );
    expect(rows).toEqual([{ statements: 1 }]);

    // The database accepts nothing, so rows stay in memory, up to a limit.
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query("begin; lock table request_log in access exclusive mode");
    const fits = Math.floor((limits.requestChunksMax * limits.requestChunkBytes) / 1_000);
    for (let row = 0; row < fits + 1_000; row += 1) requestLog.add(rowOf(subaccountId));
    await holder.query("rollback");
    await holder.end();
    await requestLog.close();
    const text = await own.text();
    const dropped = Number(/dropped_total\{reason="full"\} (\d+)/.exec(text)?.[1]);
    expect(dropped).toBeGreaterThan(0);
    expect(await count()).toBe(100 + fits + 1_000 - dropped);
    expect(text).toContain(`disburse_request_log_rows_total ${100 + fits + 1_000 - dropped}`);
    await db.close();
  });

  test("rows that PostgreSQL refuses are dropped, and later rows are written", async () => {
    const own = createMetrics();
    const { db } = await newDatabase(own);
    const requestLog = startRequestLog({ db, log: { warn: () => {} }, metrics: own });
    const twice = rowOf(newId());
    requestLog.add(twice);
    requestLog.add(twice);
    await requestLog.flush();
    requestLog.add(rowOf(newId()));
    await requestLog.close();
    const text = await own.text();
    expect(text).toContain('disburse_request_log_dropped_total{reason="refused"} 2');
    expect(text).toContain("disburse_request_log_rows_total 1");
    await db.close();
  });

  test("a lost connection fails no request, and its rows are written with the next batch", async () => {
    const own = await startService({ logsRequests: true });
    const { disburse, subaccountId } = await own.newCaller();
    const holder = new pg.Client({ connectionString: own.url });
    await holder.connect();
    await holder.query("begin; lock table request_log in access exclusive mode");
    await disburse.subaccount.get();
    const waiting =
      "select pid from pg_locks where not granted and relation = 'request_log'::regclass";
    const pid = await expect
      .poll(async () => (await holder.query(waiting)).rows[0]?.pid, { interval: 20 })
      .toBeDefined()
      .then(async () => (await holder.query(waiting)).rows[0].pid);
    await disburse.subaccount.get();
    await holder.query("select pg_terminate_backend($1)", [pid]);
    await holder.query("rollback");
    await disburse.subaccount.get();
    const count = async () => {
      const text = "select count(*)::int from request_log where subaccount_id = $1";
      return (await holder.query(text, [subaccountId])).rows[0].count;
    };
    await expect.poll(count).toBe(3);
    await disburse.subaccount.get();
    await own.close();
    expect(await count()).toBe(4);
    await holder.end();
  });
});

test("the service creates daily partitions ahead, and drops them after 30 days", async () => {
  const { db, url } = await newDatabase();
  const role = await findServiceRole(db);
  const worker = connect({ connection: { connectionString: url }, poolMax: 1, role });
  const partitions = async () => {
    const { rows } = await db.pool.query(
      "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'request_log'::regclass",
    );
    return rows.map(({ name }) => name);
  };
  const nameOf = (ms: number) =>
    `request_log_${new Date(ms).toISOString().slice(0, 10).replaceAll("-", "")}`;
  const nowMs = Date.now();
  for (const ahead of [0, 1, 2, 3])
    expect(await partitions()).toContain(nameOf(nowMs + ahead * dayMs));
  const make = async (daysAgo: number) => {
    const startMs = Math.floor(nowMs / dayMs) * dayMs - daysAgo * dayMs;
    await db.pool.query(
      `create table ${nameOf(startMs)} partition of request_log
       for values from (first_id_of(${startMs})) to (first_id_of(${startMs + dayMs}))`,
    );
    return nameOf(startMs);
  };
  const [old, young] = [await make(33), await make(28)];
  await keepRequestPartitions(worker, 30);
  expect(await partitions()).not.toContain(old);
  expect(await partitions()).toContain(young);
  await Promise.all([db.close(), worker.close()]);
});
