// Metrics: each metric of the table is exported, none has personal data, and only one port serves them.

import { randomUUID } from "node:crypto";
import { createServer } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type Admin, openAdmin } from "../../../src/doors/process/admin.ts";
import { welcomeLine } from "../../../src/doors/process/welcome.ts";
import { readConfig } from "../../../src/platform/config/config.ts";
import { createLog } from "../../../src/platform/log/log.ts";
import { metricTable } from "../../../src/platform/metrics/metric-table.ts";
import {
  createMetrics,
  deliveryOutcomes,
  type Metrics,
} from "../../../src/platform/metrics/metrics.ts";
import { newPayee } from "../../support/payers.ts";
import { type Family, readFamilies } from "../../support/prometheus-text.ts";
import {
  ada,
  newDatabase,
  type Service,
  startService,
  type TestCaller,
} from "../../support/service.ts";

const log = createLog({ level: "silent" });
const anyPort = { host: "127.0.0.1", port: 0, isChosen: false, log };
const readinessOf = ({ db }: Service) => ({ db, isDraining: () => false });
const delivery = {
  oldestAgeSeconds: 7.5,
  lanes: { owned: 3, open: 2, disabled: 1 },
  failing: { "1h": 2, "24h": 1, "7d": 0 },
  unreadableSecrets: 2,
};

const metrics: Metrics = createMetrics();
let service: Service;
let admin: Admin;
let caller: TestCaller;
beforeAll(async () => {
  service = await startService({ metrics, bankDelayMs: 20 });
  metrics.collectDelivery(async () => delivery);
  metrics.collectBanks(async () => ({
    unsentUntilCutoffSeconds: 90,
    oldestPollAgeSeconds: 0,
    filesRefused: 0,
  }));
  admin = await openAdmin({ ...anyPort, metrics, readiness: readinessOf(service) });
  caller = await service.newCaller();
});
afterAll(async () => {
  await admin.close();
  await service.close();
});

const scrape = async (address = admin.address) => (await fetch(`${address}/metrics`)).text();
const families = async () => readFamilies(await scrape());

/** The value of the series with exactly these labels. */
async function value(series: string, labels: Record<string, string> = {}): Promise<number> {
  const asked = JSON.stringify(Object.entries(labels).sort());
  const found = [...(await families()).values()]
    .flatMap(({ samples }) => samples)
    .find(
      (sample) =>
        sample.series === series && JSON.stringify(Object.entries(sample.labels).sort()) === asked,
    );
  return found?.value ?? Number.NaN;
}

/** The growth of a series since this call. */
async function growth(series: string, labels: Record<string, string> = {}) {
  const read = async () => (await value(series, labels)) || 0;
  const before = await read();
  return async () => (await read()) - before;
}

/** Records as a worker does: each outcome once, and one more delivery. */
function recordDelivery(counting: Metrics): void {
  for (const outcome of deliveryOutcomes) counting.deliveryAttempt(outcome);
  counting.deliveryAttempt("delivered");
  for (const seconds of [0.0004, 0.02, 4_000, -1]) counting.deliveryFirstAttempt(seconds);
  counting.deliveryAcknowledged(90);
  counting.deliveryClaim(0.003);
  counting.deliveryAckBatch(50);
  counting.deliveryAbandoned(2);
  counting.deliveryDuplicate();
}

const payee = () => newPayee(caller.disburse);

test("requests are counted by route, method and status, and timed by route", async () => {
  const created = { route: "/api/receiver", method: "POST", status: "200" };
  const byId = { route: "/api/receiver/:id", method: "GET", status: "400" };
  const timed = "disburse_http_request_duration_seconds";
  const route = { route: "/api/receiver" };
  const counts = [
    await growth("disburse_http_requests_total", created),
    await growth("disburse_http_requests_total", { ...created, status: "400" }),
    await growth("disburse_http_requests_total", byId),
    await growth(`${timed}_count`, route),
  ];
  const tookSeconds = await growth(`${timed}_sum`, route);
  for (let count = 0; count < 3; count += 1) await caller.disburse.receivers.create(ada());
  const refused = await caller.call("POST", "/api/receiver", { body: {} });
  expect(refused.status).toBe(400);
  await caller.call("GET", `/api/receiver/${randomUUID()}`);

  expect(await Promise.all(counts.map((count) => count()))).toEqual([3, 1, 1, 4]);
  expect(await tookSeconds()).toBeGreaterThan(0);
});

test("moves of payouts are counted after the commit, and never after a rollback", async () => {
  const moves = (stage: string) => growth("disburse_payout_moves_total", { to_stage: stage });
  const [queued, submitted, settled, returned] = [
    await moves("queued"),
    await moves("submitted"),
    await moves("settled"),
    await moves("returned"),
  ];
  const who = await payee();
  const money = { currency: "AUD", ...who };
  await caller.call("POST", "/api/test-helpers/fund", { body: { amount: 1000, currency: "AUD" } });
  const pay = (body: object) =>
    caller.call("POST", "/api/payout/single", { body: { ...money, ...body } });

  const paid = [await pay({ amount: 10 }), await pay({ amount: 11 }), await pay({ amount: 12 })];
  expect(paid.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await pay({ amount: 5_000 })).status).toBe(409);
  const rows = (...amounts: number[]) => ({
    body: { payouts: amounts.map((amount) => ({ ...money, amount })) },
  });
  expect((await caller.call("POST", "/api/payout/batch", rows(20, 21))).status).toBe(200);
  expect((await caller.call("POST", "/api/payout/batch", rows(30, 5_000))).status).toBe(409);
  expect(await queued()).toBe(5);

  await expect.poll(settled).toBe(5);
  expect(await submitted()).toBe(5);
  const id = paid[0]?.json.payload.payout_id;
  const body = { id, type: "payout", status: "return" };
  expect((await caller.call("POST", "/api/test-helpers/status", { body })).status).toBe(200);
  expect(await returned()).toBe(1);
});

test("counts of a transaction appear after its commit, and never after a rollback", async () => {
  const stage = "returned";
  const returned = await growth("disburse_payout_moves_total", { to_stage: stage });
  const rolledBack = service.db.transaction(async (tx) => {
    tx.afterCommit(({ metrics: counting }) => counting?.payoutsMoved([stage]));
    throw new Error("undone");
  });
  await expect(rolledBack).rejects.toThrow("undone");
  await service.db.transaction(async (tx) => {
    tx.afterCommit(({ metrics: counting }) => counting?.payoutsMoved([stage]));
    expect(await returned()).toBe(0);
  });
  expect(await returned()).toBe(1);
});

test("metrics show the outcomes that delivery recorded", async () => {
  const first = "disburse_delivery_first_attempt_seconds";
  const counts = [
    await growth("disburse_delivery_attempts_total", { outcome: "delivered" }),
    await growth("disburse_delivery_attempts_total", { outcome: "tls" }),
    await growth(`${first}_bucket`, { le: "0.001" }),
    await growth(`${first}_bucket`, { le: "3600" }),
    await growth(`${first}_bucket`, { le: "+Inf" }),
    await growth("disburse_delivery_at_rest_total"),
  ];
  const firstSeconds = await growth(`${first}_sum`);
  recordDelivery(metrics);

  expect(await Promise.all(counts.map((count) => count()))).toEqual([2, 1, 2, 3, 4, 2]);
  expect(await firstSeconds()).toBeCloseTo(4_000.0204);
  expect(await value("disburse_delivery_oldest_age_seconds")).toBe(7.5);
  expect(await value("disburse_delivery_lanes", { state: "open" })).toBe(2);
  expect(await value("disburse_endpoints_failing", { for: "24h" })).toBe(1);
  expect(await value("disburse_endpoints_secret_unreadable")).toBe(2);
});

test("every metric of the table is exported with its type and consistent values", async () => {
  metrics.auditHead(7);
  metrics.backupPoint(1_000);
  metrics.collectReady(async () => true);
  metrics.collectWaiting(async () => ({
    submittedAgeSeconds: { test: 1, live: 0 },
    dueAgeSeconds: { test: 0, live: 4 },
    reviewAgeSeconds: 3,
  }));
  metrics.collectApprovals(async () => ({ payout: 2, key: 0 }));
  metrics.approvalsExpired("key", 1);
  metrics.collectBalances(async () => [
    { mode: "live", currency: "AUD", available: 5, held: 6, in_transit: 7 },
  ]);
  recordDelivery(metrics);
  metrics.payoutsMoved(["queued"]);
  metrics.collectDataKeys(() => [{ values_left: "4" }, { values_left: null }]);
  metrics.collectRetention(() => [{ kind: "audit", oldestAgeSeconds: 5, keptSeconds: 9 }]);
  metrics.collectSuspense(async () => ({ items: 2, oldestAgeSeconds: 60 }));
  metrics.collectScreening(async () => ({ recordsBehind: 3, oldestHitAgeSeconds: 60 }));
  metrics.collectLists(async () => [
    { list: "un", ageSeconds: 60, entries: 5, waiting: 1, refused: 0 },
  ]);
  await caller.disburse.receivers.create(ada());
  const found = await families();
  expect([...found.keys()].sort()).toEqual(Object.keys(metricTable).sort());
  for (const [name, wanted] of Object.entries(metricTable)) {
    const family = found.get(name) as Family;
    expect({ name, type: family.type, help: family.help }).toEqual({
      name,
      type: wanted.type,
      help: wanted.help,
    });
    // Not every system reports the number of open files.
    if (name !== "process_open_fds") expect(family.samples.length, name).toBeGreaterThan(0);
    const labels = "labels" in wanted ? [...wanted.labels] : [];
    for (const sample of family.samples) {
      const named = Object.keys(sample.labels).filter((label) => label !== "le");
      expect(named.sort(), name).toEqual([...labels].sort());
      expect(sample.value, name).toBeGreaterThanOrEqual(0);
    }
    if (wanted.type === "histogram") expectHistogram(family);
  }
});

function expectHistogram({ name, samples }: Family): void {
  const children = Map.groupBy(samples, ({ labels: { le, ...own } }) => JSON.stringify(own));
  for (const child of children.values()) {
    const buckets = child.filter(({ series }) => series === `${name}_bucket`);
    const counts = buckets.map(({ value }) => value);
    expect(counts).toEqual([...counts].sort((one, other) => one - other));
    expect(buckets.at(-1)?.labels.le).toBe("+Inf");
    expect(child.find(({ series }) => series === `${name}_count`)?.value).toBe(counts.at(-1));
  }
}

test("metrics show the calls per statement, and the use of the connection pool", async () => {
  const statement = { statement: "receivers-create" };
  const served = await growth("disburse_batch_size_sum", statement);
  await Promise.all(Array.from({ length: 20 }, () => caller.disburse.receivers.create(ada())));
  expect(await served()).toBe(20);
  const total = await value("disburse_db_pool", { state: "total" });
  expect(total).toBeGreaterThanOrEqual(service.db.pool.totalCount);
  expect(total).toBeGreaterThan(0);
});

test("no request adds a series", async () => {
  const strange = async () => {
    const id = randomUUID();
    await caller.call("GET", `/api/receiver/${id}`);
    for (const method of ["GET", "PUT", "PROPFIND", "MKCOL", "SEARCH"]) {
      await fetch(`${service.baseUrl}/${id}?name=${id}`, { method });
    }
  };
  const series = async () =>
    [...(await families()).values()].flatMap(({ samples }) => samples).length;
  const unknown = { route: "unknown", method: "GET", status: "404" };
  const other = { ...unknown, method: "other" };
  const requests = "disburse_http_requests_total";
  const counts = [await growth(requests, unknown), await growth(requests, other)];
  await strange();
  const before = await series();
  for (let count = 0; count < 20; count += 1) await strange();
  expect(await series()).toBe(before);
  expect(await Promise.all(counts.map((count) => count()))).toEqual([21, 63]);
});

test("metrics contain no personal data", async () => {
  const receiver = ada();
  const { receiver_id } = await caller.disburse.receivers.create(receiver);
  await caller.call("GET", `/api/receiver?email=${encodeURIComponent(receiver.email)}`);
  // Without the samples: a sum of seconds may have any digits.
  const text = (await scrape()).replaceAll(/^([^#].*) \S+$/gm, "$1");
  expect(text).toMatch(/^disburse_http_requests_total\{.*\}$/m);
  const { key, secret, subaccountId } = caller;
  const personal = [receiver.email, receiver.last_name, receiver.phone, "12345999", "062000"];
  for (const value of [...personal, key, secret, subaccountId, receiver_id]) {
    expect(text).not.toContain(value);
  }
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}|@example|[as]k_test/i);
});

test("the metrics port serves only metrics, and the public port serves none", async () => {
  const answer = await fetch(`${admin.address}/metrics?any=thing`);
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(await (await fetch(`${admin.address}/healthz`)).json()).toEqual({ status: "ok" });
  for (const path of ["/", "/docs", "/api/receiver", "/metrics/", "/metrics/../docs"]) {
    expect([path, (await fetch(admin.address + path)).status]).toEqual([path, 404]);
  }
  expect((await fetch(`${admin.address}/metrics`, { method: "POST" })).status).toBe(404);
  expect((await fetch(`${service.baseUrl}/metrics`)).status).toBe(404);
});

test("a worker's port reports whether it is ready, or why not", async () => {
  const { db } = await newDatabase();
  let isEnding = false;
  const readiness = { db, isDraining: () => isEnding };
  const own = await openAdmin({ ...anyPort, metrics, readiness });
  onTestFinished(own.close);
  const ready = async () => {
    const response = await fetch(`${own.address}/readyz`);
    return [response.status, await response.json()];
  };
  expect(await ready()).toEqual([200, { status: "ready", reasons: [] }]);
  isEnding = true;
  expect(await ready()).toEqual([503, { status: "unavailable", reasons: ["shutting down"] }]);
  isEnding = false;
  await db.close();
  expect(await ready()).toMatchObject([503, { reasons: ["database is not reachable"] }]);
});

test.each([
  ["fails", () => Promise.reject(new Error("the database is away"))],
  ["hangs", () => new Promise<never>(() => {})],
])("when a query of the scrape %s, only its metrics are absent", async (_how, read) => {
  const own = createMetrics();
  own.collectDelivery(read);
  const lonely = await openAdmin({ ...anyPort, metrics: own, readiness: readinessOf(service) });
  onTestFinished(lonely.close);
  const found = readFamilies(await scrape(lonely.address));
  expect(found.get("disburse_delivery_oldest_age_seconds")?.samples).toEqual([]);
  expect(found.get("disburse_delivery_lanes")?.samples).toEqual([]);
  expect(found.get("process_cpu_seconds_total")?.samples[0]?.value).toBeGreaterThan(0);
});

test("two services in one process have separate counters", async () => {
  const [one, other] = [createMetrics(), createMetrics()];
  one.deliveryDuplicate();
  expect(await one.text()).toContain("duplicate_sends_total 1");
  expect(await other.text()).toContain("duplicate_sends_total 0");
});

test("a default port that is in use is replaced, a configured one is not", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => other.once("listening", resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as { port: number };
  const guessed = await openAdmin({ ...anyPort, port, metrics, readiness: readinessOf(service) });
  onTestFinished(guessed.close);
  expect(guessed.port).not.toBe(port);
  expect((await fetch(`${guessed.address}/healthz`)).status).toBe(200);
  const chosen = openAdmin({
    ...anyPort,
    port,
    isChosen: true,
    metrics,
    readiness: readinessOf(service),
  });
  await expect(chosen).rejects.toMatchObject({ code: "EADDRINUSE", port });
});

test("the machine-readable line has the address of the metrics", () => {
  const facts = {
    address: "a",
    docs: "d",
    metrics: "m",
    console: undefined,
    key: "k",
    secret: undefined,
    settings: {},
  };
  expect(JSON.parse(welcomeLine(facts))).toMatchObject({ base_url: "a", metrics_url: "m" });
});

test.each([
  [{}, 4001, false],
  [{ PORT: "5000", ADMIN_PORT: "" }, 5001, false],
  [{ PORT: "0" }, 0, false],
  [{ PORT: "65535" }, 0, false],
  [{ PORT: "5000", ADMIN_PORT: "9100" }, 9100, true],
])("the environment %j sets port %i", (environment, port, isChosen) => {
  expect(readConfig(environment).admin).toEqual({ host: "127.0.0.1", port, isChosen });
});
