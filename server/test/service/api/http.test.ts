// HTTP edge cases: every refusal has the same envelope and the right status.

import { connect as connectSocket } from "node:net";
import pg from "pg";
import { expect, inject, test } from "vitest";
import { readMigrations } from "../../../src/platform/db/migrate.ts";
import { ada, type Service, startServiceForTest } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

await useService();
// The service closes it after ten seconds. Meanwhile the other tests run.
const incompleteRequest = exchange("GET /api/receiver HTTP/1.1\r\nhost: x\r\nx-half");

test("every response has its own x-request-id, also if the caller sends one", async () => {
  const { call } = await service.newCaller();
  const headers = { "x-request-id": "mine" };
  const answers = await Promise.all([
    call("GET", "/api/subaccount", { headers }),
    call("GET", "/api/receiver/1"),
    call("GET", "/nowhere"),
  ]);
  const ids = answers.map((answer) => answer.headers.get("x-request-id"));
  for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(new Set(ids).size).toBe(3);
});

test("no response under /api may be cached, refusals included", async () => {
  const { call } = await service.newCaller();
  const stranger = (path: string, init?: RequestInit) => fetch(service.baseUrl + path, init);
  const answers = await Promise.all([
    call("GET", "/api/subaccount"),
    call("HEAD", "/api/subaccount"),
    call("POST", "/api/receiver", { body: ada() }),
    call("GET", "/api/balance/entries?currency=AUD", { headers: { accept: "text/csv" } }),
    call("POST", "/api/receiver", { body: {} }),
    call("POST", "/api/receiver", { raw: "x".repeat(65 * 1024) }),
    call("GET", "/api/receiver/1"),
    call("GET", "/api/receiver/%zz"),
    call("PUT", "/api/receiver", { body: {} }),
    call("GET", "/api/nowhere"),
    stranger("/api/subaccount"),
    stranger("/api/receiver", { method: "POST", body: "{}" }),
  ]);
  for (const { status, headers } of answers) {
    expect([status, headers.get("cache-control")]).toEqual([status, "no-store"]);
  }
  expect(await exchange("NONSENSE\r\n\r\n")).toContain("\r\ncache-control: no-store\r\n");
});

test.each(["/", "/api", "/api/receivers", "/api/receiver/1/2", "/API/receiver", "/api//receiver"])(
  "SYST101: there is no route %s",
  async (path) => {
    const { call } = await service.newCaller();
    const { status, json } = await call("GET", path);
    expect([status, json]).toEqual([
      404,
      { message: "no such route", error: [{ code: "SYST101", message: "no such route" }] },
    ]);
  },
);

test("SYST101: a browser at the root is redirected to the console, and other clients get 404", async () => {
  const ask = (accept: string, method = "GET") =>
    fetch(`${service.baseUrl}/?x=1`, { method, headers: { accept }, redirect: "manual" });
  const browser = await ask("text/html,application/xhtml+xml,*/*;q=0.8");
  expect([browser.status, browser.headers.get("location")]).toEqual([302, "/console"]);
  for (const accept of ["*/*", "application/json"]) {
    const answer = await ask(accept);
    expect([answer.status, (await answer.json()).error[0].code]).toEqual([404, "SYST101"]);
  }
  expect((await ask("text/html", "POST")).status).toBe(404);
});

test.each([
  ["PUT", "/api/receiver", "GET, HEAD, POST"],
  ["DELETE", "/api/subaccount", "GET, HEAD, PATCH"],
  ["POST", "/api/receiveraccount/7", "DELETE, GET, HEAD, PATCH"],
  ["PUT", "/api/receiver/7", "DELETE, GET, HEAD, PATCH"],
  ["GET", "/api/receiver/7/kyc", "POST"],
  ["OPTIONS", "/api/receiver", "GET, HEAD, POST"],
])(
  "SYST102: %s is refused for %s, and the allow header lists the methods",
  async (method, path, allow) => {
    const { call } = await service.newCaller();
    const { status, json, headers } = await call(method, path);
    expect([status, json.error[0].code]).toEqual([405, "SYST102"]);
    expect(headers.get("allow")?.split(", ").sort()).toEqual(allow.split(", ").sort());
  },
);

test("HEAD responds like GET, without the body", async () => {
  const { call } = await service.newCaller();
  const { status, text } = await call("HEAD", "/api/subaccount");
  expect([status, text]).toEqual([200, ""]);
});

test.each([
  ["text/html", 406],
  ["application/json;q=0", 406],
  ["application/xml, text/*", 406],
  ["application/json", 200],
  ["text/html, application/*;q=0.5", 200],
  ["*/*", 200],
])("SYST103: accept %s is answered with %i", async (accept, expected) => {
  const { call } = await service.newCaller();
  const { status, json } = await call("GET", "/api/subaccount", { headers: { accept } });
  expect(status).toBe(expected);
  if (expected === 406) expect(json.error[0].code).toBe("SYST103");
});

test("SYST104: a body of 64 KiB is read, and one byte more is refused", async () => {
  const { call } = await service.newCaller();
  const fits = await call("POST", "/api/receiver", { raw: "x".repeat(64 * 1024) });
  expect([fits.status, fits.json.error[0].code]).toEqual([400, "REVR232"]);
  const over = await call("POST", "/api/receiver", { raw: "x".repeat(64 * 1024 + 1) });
  expect([over.status, over.json.error[0].code]).toEqual([413, "SYST104"]);
});

test.each([
  { "content-type": "text/plain" },
  { "content-type": "application/x-www-form-urlencoded" },
  { "content-type": "application/json; charset=latin1" },
  { "content-type": "multipart/form-data; boundary=x" },
  { "content-encoding": "gzip" },
])("SYST105: content type %j is refused", async (headers) => {
  const { call } = await service.newCaller();
  const { status, json } = await call("POST", "/api/receiver", { body: ada(), headers });
  expect([status, json.error[0].code]).toEqual([415, "SYST105"]);
});

test("content-type with charset utf-8 is read, in any spelling", async () => {
  const { call } = await service.newCaller();
  for (const type of ["application/json; charset=UTF-8", 'APPLICATION/JSON;charset="utf-8"']) {
    const answer = await call("POST", "/api/receiver", {
      body: ada(),
      headers: { "content-type": type },
    });
    expect(answer.status).toBe(200);
  }
});

/** Sends bytes as they are and reads until the connection closes. */
function exchange(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket(service.port, "127.0.0.1", () => socket.write(bytes));
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}

test.each([
  ["SYST106", 400, "NONSENSE\r\n\r\n"],
  ["SYST106", 400, "GET /api/receiver HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n"],
  ["SYST106", 400, "POST /api/receiver HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n"],
  ["SYST106", 400, "GET /api/receiver HTTP/1.1\r\nconnection: close\r\n\r\n"],
  ["SYST107", 431, `GET / HTTP/1.1\r\nhost: x\r\na: ${"b".repeat(17_000)}\r\n\r\n`],
])("%s: bytes that are not a valid request get %i in the envelope", async (code, status, bytes) => {
  const answer = await exchange(bytes);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")))).toMatchObject({ error: [{ code }] });
});

test("an unknown expect header is answered with the envelope", async () => {
  const answer = await exchange(
    "GET /api/receiver HTTP/1.1\r\nhost: x\r\nexpect: wonders\r\nconnection: close\r\n\r\n",
  );
  expect(answer).toMatch(/^HTTP\/1.1 401 /);
  expect(answer).toContain("AUTH101");
});

test("a path that can't be decoded is malformed, not an internal error", async () => {
  const { call } = await service.newCaller();
  const { status, json } = await call("GET", "/api/receiver/%zz");
  expect([status, json.error[0].code]).toEqual([400, "SYST106"]);
});

test("/healthz reports that the process runs, /readyz that it can serve", async () => {
  const [health, ready] = await Promise.all(
    ["/healthz", "/readyz"].map(async (path) => (await fetch(service.baseUrl + path)).json()),
  );
  expect(health).toEqual({ status: "ok" });
  expect(ready).toEqual({ status: "ready", reasons: [] });
});

test("/readyz gives the reason when a migration is missing", async () => {
  const { baseUrl, db } = await startServiceForTest();
  await db.pool.query("delete from migration");
  const response = await fetch(`${baseUrl}/readyz`);
  expect(response.status).toBe(503);
  expect(await response.json()).toEqual({
    status: "unavailable",
    reasons: readMigrations().map(({ name }) => `migration ${name} is not applied`),
  });
});

/** Ends every connection to a database and refuses new ones. */
async function closeDatabase(db: Service["db"]): Promise<void> {
  const { rows } = await db.pool.query("select current_database() as name");
  const administrator = new pg.Client({ ...inject("postgres"), database: "postgres" });
  await administrator.connect();
  await administrator.query(`alter database ${rows[0].name} allow_connections false`);
  await administrator.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1",
    [rows[0].name],
  );
  await administrator.end();
}

test("SYST503: without its database the service answers with 503 and Retry-After", async () => {
  const broken = await startServiceForTest();
  const { call } = await broken.newCaller();
  await call("GET", "/api/subaccount");
  await closeDatabase(broken.db);

  const { status, json, headers } = await call("GET", "/api/subaccount");
  expect([status, json.error[0].code, headers.get("retry-after")]).toEqual([503, "SYST503", "1"]);
  const ready = await fetch(`${broken.baseUrl}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([
    503,
    { status: "unavailable", reasons: ["database is not reachable"] },
  ]);
});

test("SYST503: a read-only database is an outage, and /readyz says so", async () => {
  const { db, baseUrl, newCaller } = await startServiceForTest();
  const { call } = await newCaller();
  const { rows } = await db.pool.query("select current_database() as name");
  await db.pool.query(`alter database ${rows[0].name} set default_transaction_read_only = on`);
  const administrator = new pg.Client({ ...inject("postgres"), database: "postgres" });
  await administrator.connect();
  await administrator.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1",
    [rows[0].name],
  );
  await administrator.end();
  const write = await call("POST", "/api/receiver", { body: ada() });
  expect([write.status, write.json.error[0].code]).toEqual([503, "SYST503"]);
  expect(write.headers.get("retry-after")).toBe("1");
  const ready = async () => (await (await fetch(`${baseUrl}/readyz`)).json()).reasons;
  await expect.poll(ready).toEqual(["database only reads"]);
});

test("RATE101: a key above its limit gets Retry-After, and other keys are not delayed", async () => {
  let nowMs = Date.now();
  const { newCaller } = await startServiceForTest({
    rateLimit: { perSecond: 10, burst: 5 },
    clock: () => nowMs,
  });
  const [eager, patient] = [await newCaller(), await newCaller()];
  const ask = (caller: typeof eager) => caller.call("GET", "/api/subaccount");

  for (const remaining of [4, 3, 2, 1, 0]) {
    const { status, headers } = await ask(eager);
    expect(status).toBe(200);
    expect(headers.get("ratelimit")).toMatch(new RegExp(`^"key";r=${remaining};t=\\d+$`));
    expect(headers.get("ratelimit-policy")).toBe('"key";q=5;w=1');
  }
  const refused = await ask(eager);
  expect([refused.status, refused.json.error[0].code]).toEqual([429, "RATE101"]);
  expect(refused.headers.get("retry-after")).toBe("1");
  expect((await ask(patient)).status).toBe(200);

  nowMs += 100;
  expect((await ask(eager)).status).toBe(200);
  expect((await ask(eager)).status).toBe(429);
});

test("SYST108: a request that does not arrive in time is answered, and its connection closed", async () => {
  const answer = await incompleteRequest;
  expect(answer).toMatch(/^HTTP\/1.1 408 /);
  expect(answer).toContain('"code":"SYST108"');
});
