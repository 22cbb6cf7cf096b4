// API requests in the console: the list and its filters, errors by kind, one request, and who may see them.

import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import type { RequestLine } from "../../../src/doors/request-list/schema.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { limits } from "../../../src/platform/limits/limits.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { idAt } from "../../support/committed-events.ts";
import { startConsole } from "../../support/console.ts";
import { newPayout } from "../../support/post-requests.ts";
import { begin } from "../../support/process.ts";
import { ada, settingsOf, sign } from "../../support/service.ts";

const service = await closeAfterTests(startConsole({ logsRequests: true }));
const caller = await service.newCaller();
const operator = service.enter("operator");

const pathOf = ({ subaccountId }: { subaccountId: string }) => `/s/${subaccountId}/requests`;

async function get(path: string, by = operator) {
  await service.flushRequests();
  const answer = await by.get(path);
  expect(answer.status).toBe(200);
  return answer.json;
}

/** The lines of all pages. */
async function linesOf(query: string, of: { subaccountId: string } = caller) {
  const lines: RequestLine[] = [];
  for (let cursor = ""; ; ) {
    const { rows, next } = await get(`${pathOf(of)}?${query}${cursor && `&cursor=${cursor}`}`);
    lines.push(...rows);
    if (next === null) return lines;
    cursor = next;
  }
}
const inShort = (lines: RequestLine[]) =>
  lines.map(({ method, path, status }) => `${method} ${path} ${status}`);

/** Adds many rows by SQL, newest last. */
async function addRows(subaccountId: string, count: number, status: number, atMs: number) {
  await service.db.pool.query(
    `insert into request_log (subaccount_id, id, key, method, route, status, took_us, codes)
     select $1, (left($2, 13) || '-7' || lpad(to_hex(n / 65536), 3, '0') || '-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
            'ak', 'GET', '/api/balance', $4::int, 1000, case when $4::int >= 400 then 'SYST503' end
     from generate_series(1, $3::int) n`,
    [subaccountId, idAt(atMs), count, status],
  );
}

test("keeps every problem of a refused object, and the number of problems left out for a batch", async () => {
  const own = await service.newCaller();
  await own.call("POST", "/api/receiver", { body: {} });
  const payouts = Array.from({ length: 50 }, () => ({}));
  await own.call("POST", "/api/payout/batch", { body: { payouts } });
  const [batch, single] = await linesOf("status=4xx", own);
  const detail = await get(`${pathOf(own)}/${single?.id}`);
  expect(detail.problems.length).toBeGreaterThan(10);
  expect(detail.problems_left).toBe(0);
  expect(single?.codes).toHaveLength(detail.problems.length);
  const many = await get(`${pathOf(own)}/${batch?.id}`);
  expect([many.problems.length, many.problems_left]).toEqual([40, 60]);
});

test("lists newest first, by every filter, page by page, and exports exactly the filtered rows", async () => {
  const own = await service.newCaller();
  const { receiver_id } = await own.disburse.receivers.create(ada());
  await own.call("POST", "/api/receiver", { body: ada({ email: "nobody" }) });
  await own.call("GET", `/api/receiver/${receiver_id}`);
  await own.call("GET", `/api/receiver/${newId()}`);
  await own.call("GET", "/api/receiver?email=ada%40example.com&limit=5");
  const all = await linesOf("limit=2", own);
  const [list, missing, found, refused, created] = inShort(all);
  expect(list).toBe("GET /api/receiver?email=[redacted]&limit=5 200");
  expect(created).toBe("POST /api/receiver 200");
  expect(all).toHaveLength(5);

  const by = async (query: string) => inShort(await linesOf(query, own));
  expect(await by("method=POST&limit=1")).toEqual([refused, created]);
  expect(await by("status=4xx")).toEqual([missing, refused]);
  expect(await by("status=2xx")).toEqual([list, found, created]);
  expect(await by("status=404")).toEqual([]);
  expect(await by("code=REVR214")).toEqual([refused]);
  expect(await by("route=/api/receiver/:id")).toEqual([missing, found]);
  expect(await by(`object=${receiver_id}`)).toEqual([found, created]);
  expect(await by(`key=${own.key}&status=4xx`)).toEqual([missing, refused]);
  expect(await by("key=ak_other")).toEqual([]);
  const [, second] = all;
  expect(await by(`to=${second?.at}`)).toEqual([found, refused, created]);
  expect(await by(`from=${Date.now() + 1_000}`)).toEqual([]);

  const csv = (await operator.get(`${pathOf(own)}.csv?status=4xx`)).text.trim().split("\n");
  expect(csv).toHaveLength(3);
  expect(csv[0]).toBe("time,id,method,path,route,status,ms,key,ip,agent,codes,object_id");
  expect(csv[2]).toContain("REVR214");

  for (const query of [
    "status=9xx",
    "code=x",
    "object=1",
    "after=1",
    "method=get",
    "route=x",
    "q=1",
  ]) {
    expect((await operator.get(`${pathOf(own)}?${query}`)).status).toBe(400);
  }
});

test("after=<id> lists the requests since that one, and some shortly before", async () => {
  const own = await service.newCaller();
  await addRows(own.subaccountId, 2, 200, Date.now() - limits.requestTimeoutMs - 60_000);
  await own.disburse.subaccount.get();
  const [newest] = await linesOf("", own);
  await own.disburse.subaccount.get();
  const lines = await linesOf(`after=${newest?.id}`, own);
  expect(lines).toHaveLength(2);
  expect(lines[1]?.id).toBe(newest?.id);
});

test("a filter with few matches scans a limited number of rows, and returns a cursor to continue", async () => {
  const own = await service.newCaller();
  const atMs = Date.now() - 3_600_000;
  await addRows(own.subaccountId, 1, 503, atMs - 60_000);
  await addRows(own.subaccountId, limits.requestsScannedMax + 10, 200, atMs);
  const page = await get(`${pathOf(own)}?method=POST`);
  expect(page.rows).toEqual([]);
  expect(page.next).not.toBeNull();
  // Failures have their own index, which skips successful requests.
  expect((await get(`${pathOf(own)}?status=5xx`)).rows).toHaveLength(1);
  expect(await linesOf("method=GET&status=503", own)).toHaveLength(1);
  const { rows } = await service.db.pool.query(
    `explain (format json) select id from request_log
     where subaccount_id = '${own.subaccountId}' and status >= 400 order by id desc limit 50`,
  );
  expect(JSON.stringify(rows)).toContain("_subaccount_id_id_idx");
});

test("errors are grouped by code and route, with their count and the last request", async () => {
  const own = await service.newCaller();
  for (const email of ["a", "b"]) await own.call("POST", "/api/receiver", { body: ada({ email }) });
  await own.call("POST", "/api/receiver", { body: { ...ada(), email: "c", dob: "d" } });
  await own.call("GET", `/api/receiver/${newId()}`);
  await addRows(own.subaccountId, 4, 503, Date.now() - 48 * 3_600_000);
  const day = await get(`${pathOf(own)}/errors`);
  const [newest] = await linesOf("code=REVR214", own);
  expect(day).toMatchObject({ looked_at: 4, is_whole: true });
  expect(day.rows[0]).toEqual({
    code: "REVR214",
    text: "Email is not valid",
    method: "POST",
    route: "/api/receiver",
    status: 400,
    count: 3,
    last_id: newest?.id,
    last_at: newest?.at,
    cure: expect.stringContaining("254"),
  });
  expect(day.rows.map(({ code }: { code: string }) => code).sort()).toEqual(
    ["REVR101", "REVR214", "REVR227"].sort(),
  );
  const week = await get(`${pathOf(own)}/errors?within=7d`);
  expect(week.rows[0]).toMatchObject({ code: "SYST503", count: 4 });
});

test("one request: its redacted body, its problems with cures, and links to its objects", async () => {
  const own = await service.newCaller();
  const input = { ...(await newPayout(own)), note: "for Ada" };
  const headers = { "idempotency-key": "once" };
  const { json } = await own.call("POST", "/api/payout/single", { body: input, headers });
  const [line] = await linesOf("", own);
  const detail = await get(`${pathOf(own)}/${line?.id}`);
  const { payout_id } = json.payload;
  expect(detail).toMatchObject({ ...line, idempotency: "sent", signature: null, problems: [] });
  expect(JSON.parse(detail.body)).toEqual({ ...input, note: "[redacted]" });
  expect(detail.links).toEqual([
    { kind: "payout", id: payout_id },
    { kind: "receiver", id: input.receiver_id },
    { kind: "account", id: input.account_id },
  ]);
  // The payout's page shows the request that created it.
  const { timeline } = await get(`/s/${own.subaccountId}/payouts/${payout_id}`);
  expect(timeline[0]).toMatchObject({
    kind: "request",
    title: "POST /api/payout/single",
    links: [{ kind: "request", id: line?.id }],
  });
  await own.call("POST", "/api/payout/single", { body: { ...input, amount: "x", colour: 1 } });
  const [refused] = await linesOf("", own);
  expect(await get(`${pathOf(own)}/${refused?.id}`)).toMatchObject({
    problems: [
      { code: "PAYO207", field: "amount", text: expect.any(String), cure: expect.any(String) },
      { code: "PAYO212", field: "" },
    ],
  });
});

test("the lines to copy repeat the request with a shell, openssl and curl", async () => {
  const { receiver_id } = await caller.disburse.receivers.create(ada());
  const status = { id: receiver_id, type: "kyc", status: "success" };
  await caller.call("POST", "/api/test-helpers/status", { body: status });
  const [line] = await linesOf("");
  const { curl } = await get(`${pathOf(caller)}/${line?.id}`);
  expect(curl).not.toContain(caller.secret);
  if (["curl", "openssl"].some((name) => spawnSync(name, ["--version"]).error)) return;
  const { stdout } = await runShell(curl, { DISBURSE_API_SECRET: caller.secret });
  // The move may be illegal the second time. Either response proves that the signature was accepted.
  expect(stdout).toMatch(/REVR302|status set successfully/);
});

async function runShell(text: string, env: Record<string, string>) {
  const { execFile } = await import("node:child_process");
  const { promisify } = await import("node:util");
  return promisify(execFile)("sh", ["-c", text], { env: { ...process.env, ...env } });
}

test("AUTH105: for a test subaccount, the console shows the expected text and the part that differs", async () => {
  const { key, secret } = caller;
  const path = "/api/receiver?limit=5";
  const signature = sign({ key, secret, method: "GET", path: "/api/receiver", version: 2 });
  await caller.call("GET", path, { headers: { signature } });
  const [line] = await linesOf("status=401");
  const detail = await get(`${pathOf(caller)}/${line?.id}`);
  expect(detail.signature).toMatchObject({ part: "path", hint: expect.stringContaining("query") });
  expect(detail.signature.expected.split("\n")[5]).toBe(path);
  expect(detail.signature.received).toMatch(/^v2\.\d{13}\..*\.[0-9a-f]{8}…$/);
});

test("a developer sees the requests of their own subaccount, and none of another by any URL or id", async () => {
  const other = await service.newCaller();
  await other.disburse.subaccount.get();
  await caller.disburse.subaccount.get();
  const developer = service.enter("developer", { subaccountId: caller.subaccountId });
  const [theirs] = await linesOf("", other);
  const [own] = await linesOf("");
  expect((await get(`${pathOf(caller)}/${own?.id}`, developer)).id).toBe(own?.id);
  for (const path of ["", ".csv", "/errors", `/${theirs?.id}`]) {
    expect((await developer.get(`${pathOf(other)}${path}`)).status).toBe(404);
  }
  for (const id of [theirs?.id, newId(), "nonsense"]) {
    expect((await developer.get(`${pathOf(caller)}/${id}`)).status).toBe(404);
  }
  const listed = await linesOf("limit=500");
  expect(listed.some(({ id }) => id === theirs?.id)).toBe(false);
  expect((await developer.get(`${pathOf(caller)}?object=${other.subaccountId}`)).json.rows).toEqual(
    [],
  );
});

test("disburse logs tail prints requests as they arrive, and ends on a signal", async () => {
  const own = await service.newCaller();
  await own.disburse.subaccount.get();
  await own.call("GET", `/api/receiver/${newId()}`);
  await service.flushRequests();
  const environment = settingsOf(service);
  const words = ["logs", "tail", "--subaccount", own.subaccountId, "--status", "4xx"];
  const running = await begin([...words, "--path", "/api/receiver"], environment, ({ stdout }) =>
    stdout.includes("REVR101"),
  );
  await own.call("DELETE", `/api/receiver/${newId()}`);
  await expect.poll(() => running.output().stdout).toContain("DELETE");
  expect(running.output().stdout.trim().split("\n")).toHaveLength(2);
  expect(await running.end()).toBe(0);
});

test("a request to a subaccount sends a hint to its open pages", async () => {
  await operator.ready;
  const controller = new AbortController();
  const response = await fetch(`${service.baseUrl}/console/api/s/${caller.subaccountId}/live`, {
    headers: { cookie: operator.cookie, accept: "text/event-stream" },
    signal: controller.signal,
  });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let received = "";
  const listening = (async () => {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      received += Buffer.from(value).toString();
    }
  })().catch(() => {});
  await expect
    .poll(
      async () => {
        await caller.disburse.subaccount.get();
        return received;
      },
      { timeout: 60_000, interval: 300 },
    )
    .toContain('"requests"');
  controller.abort();
  await listening;
});
