// Several database servers: the primary is found, standbys are refused, and a stalled or read-only primary is an outage.

import { once } from "node:events";
import { type AddressInfo, createServer, connect as dial } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { connect, type Db, statement } from "../../src/platform/db/connect.ts";
import { findTroubles } from "../../src/platform/db/database-state.ts";
import { isOutage } from "../../src/platform/db/outage.ts";
import { sealWith } from "../../src/platform/encryption/seal.ts";
import { ensureInstallation } from "../../src/tenants/installation/installation.ts";
import { type PostgresPair, standbyName, startPair } from "../support/postgres-servers.ts";
import { serve } from "../support/process.ts";
import { ada, masterKey, newCaller } from "../support/service.ts";

const startMs = 120_000;
const readState = statement<{ port: number; standby: boolean }>(
  "which-server",
  "select inet_server_port() as port, pg_is_in_recovery() as standby",
);
const write = statement<never>("write", "create table if not exists written ()");

let pair: PostgresPair;

beforeAll(async () => {
  pair = await startPair();
}, startMs);
afterAll(() => pair.close());

function open(connectionString: string, poolMax = 4): Db {
  const db = connect({ connection: { connectionString }, poolMax });
  onTestFinished(() => db.close());
  return db;
}

test("the primary is found at any place of the list, also for locks and notifications", async () => {
  const { primary, standby, urlOf } = pair;
  for (const url of [urlOf(primary, standby), urlOf(standby, primary)]) {
    const db = open(url);
    const seen = await Promise.all([1, 2, 3].map(() => db.run(readState)));
    expect(seen.flat()).toEqual([1, 2, 3].map(() => ({ port: primary.port, standby: false })));
    const client = await db.openClient();
    const { rows } = await client.query("select pg_is_in_recovery() as standby");
    await client.end();
    expect(rows).toEqual([{ standby: false }]);
    expect(await findTroubles(db)).toEqual([]);
  }
});

test("a standby alone is refused, and the reason is given", async () => {
  const db = open(pair.standby.url);
  const refused = await db.run(readState).catch((error) => error);
  expect([isOutage(refused), refused.message]).toEqual([
    true,
    "database has no primary: only a standby answers",
  ]);
  expect(await findTroubles(db)).toEqual([refused.message]);
});

test("a connection that a proxy leads to the standby is tried again", async () => {
  const ports = [pair.standby.port, pair.primary.port];
  const proxy = createServer((client) => {
    const upstream = dial(ports.shift() ?? pair.primary.port, "127.0.0.1");
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) socket.on("error", () => {});
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void proxy.close());
  const url = new URL(pair.primary.url);
  url.port = String((proxy.address() as AddressInfo).port);
  const db = open(url.href, 1);
  expect(await db.run(readState)).toMatchObject([{ standby: false }]);
  expect(ports).toEqual([]);
});

test("a primary that is set to read only is an outage, until it writes again", async () => {
  const { primary } = pair;
  const db = open(primary.url);
  await db.transaction((tx) => tx.run(write));
  const setting = (value: string) =>
    primary.query(
      "set default_transaction_read_only = off",
      `alter system set default_transaction_read_only = ${value}`,
      "select pg_reload_conf()",
    );
  await setting("on");
  onTestFinished(() => setting("off").then(() => {}));
  // The open connection is still used once; its transaction fails with 25006.
  const attempt = () => db.transaction((tx) => tx.run(write)).then(() => "written", isOutage);
  await expect.poll(attempt).toBe(true);
  await expect.poll(() => findTroubles(db)).toEqual(["database only reads"]);
  await setting("off");
  await expect.poll(attempt).toBe("written");
});

test(
  "commits without their standby: 503, never a wrong answer, and one receiver after the retry",
  async () => {
    const { primary, standby, urlOf, waitForStandby } = pair;
    const db = open(urlOf(primary, standby));
    const seal = sealWith(masterKey);
    await ensureInstallation(db, seal);
    const serving = await serve({
      DATABASE_URL: urlOf(standby, primary),
      DISBURSE_MASTER_KEY: masterKey.toString("base64"),
      NODE_ENV: "production",
      ADMIN_PORT: "0",
      RATE_LIMIT_PER_S: "0",
      LOG_LEVEL: "fatal",
    });
    onTestFinished(async () => {
      await waitForStandby("");
      await serving.end("SIGKILL");
    });
    const { baseUrl } = serving;
    const { call } = await newCaller({ db, seal, baseUrl });
    const reasons = async () => (await (await fetch(`${baseUrl}/readyz`)).json()).reasons;
    const create = (key: string, body: ReturnType<typeof ada>) =>
      call("POST", "/api/receiver", { body, headers: { "idempotency-key": key } });
    await waitForStandby(standbyName);
    await standby.stop("SIGINT");
    await expect.poll(reasons).toEqual(["commits wait for a synchronous standby that is missing"]);

    // A commit whose wait is cancelled is on the primary only. PostgreSQL reports it as done; we don't.
    const cancel =
      "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'";
    let cancelled: Awaited<ReturnType<typeof create>> | undefined;
    void create("cancelled", ada()).then((answer) => {
      cancelled = answer;
    });
    await expect.poll(() => primary.query(cancel).then(() => cancelled?.status)).toBe(503);
    expect(cancelled?.json.error[0].code).toBe("SYST503");
    expect(cancelled?.headers.get("retry-after")).toBe("1");

    const receiver = ada();
    const stalled = await create("stalled", receiver);
    expect([stalled.status, stalled.json.error[0].code]).toEqual([503, "SYST503"]);
    await standby.start();
    await expect.poll(async () => (await create("stalled", receiver)).status).toBe(200);
    const count = `select count(*)::int from receiver where email = '${receiver.email}'`;
    expect(await primary.query(count)).toEqual([{ count: 1 }]);
    await expect.poll(reasons).toEqual([]);
  },
  startMs,
);
