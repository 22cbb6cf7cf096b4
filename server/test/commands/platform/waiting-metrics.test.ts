// Metrics about money that waits, the build, and the readiness of a worker.

import { expect, onTestFinished, test } from "vitest";
import { startBackground, workerReasons } from "../../../src/doors/app/background.ts";
import { openAdmin } from "../../../src/doors/process/admin.ts";
import { collectPayoutMetrics } from "../../../src/money/payouts/waiting.ts";
import { oldestDueMs } from "../../../src/money/payouts/waiting-queries.ts";
import { railDirectory } from "../../../src/money/rails/directory.ts";
import { sandboxRail } from "../../../src/money/rails/sandbox.ts";
import { kycProviders } from "../../../src/people/kyc-providers/providers.ts";
import { noScreening } from "../../../src/people/screening/screener.ts";
import { commitOf } from "../../../src/platform/base/version.ts";
import { readConfig } from "../../../src/platform/config/config.ts";
import { createLog } from "../../../src/platform/log/log.ts";
import { createMetrics } from "../../../src/platform/metrics/metrics.ts";
import { newPayee } from "../../support/payers.ts";
import { serve } from "../../support/process.ts";
import { readFamilies } from "../../support/prometheus-text.ts";
import { ada, settingsOf } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

await useService({ bankDelayMs: 0 });

const metrics = createMetrics();
const log = createLog({ level: "silent" });
const aheadMs = 60_000;

/** The value of each series, by its name and the values of its labels. */
async function samples(): Promise<Map<string, number>> {
  const families = [...readFamilies(await metrics.text()).values()];
  return new Map(
    families
      .flatMap(({ samples }) => samples)
      .map(({ series, labels, value }) => [[series, ...Object.values(labels)].join(" "), value]),
  );
}

test("metrics show what waits longest, and the balances of all subaccounts together", async () => {
  collectPayoutMetrics({ db: service.db, metrics, clock: () => Date.now() + aheadMs });
  const submitted = "disburse_payouts_oldest_submitted_age_seconds";
  expect((await samples()).get(`${submitted} test`)).toBe(0);

  for (const amount of [100, 250]) {
    const { disburse, call } = await service.newCaller();
    const funding = { amount: 1_000, currency: "AUD" };
    await call("POST", "/api/test-helpers/fund", { body: funding });
    // The sandbox bank never says what became of a payout to this account.
    const payout = { ...(await newPayee(disburse, "12345888")), currency: "AUD", amount };
    expect((await call("POST", "/api/payout/single", { body: payout })).status).toBe(200);
  }
  const part = (name: string) => `disburse_balance_minor_units test AUD ${name}`;
  await expect.poll(async () => (await samples()).get(part("in_transit"))).toBe(350);
  const found = await samples();
  expect(found.get(part("available"))).toBe(1_650);
  expect(found.get(part("held"))).toBe(0);
  expect(found.get(`${submitted} test`)).toBeGreaterThanOrEqual(aheadMs / 1000);
  expect(found.get(`${submitted} live`)).toBe(0);

  // The step that is due first is found over all rails and subaccounts. No worker serves these rails.
  await service.db.pool.query(
    `with chosen as (select subaccount_id, id, row_number() over (order by id) as place from payout)
     update payout p set rail = 'none-' || (3 - c.place), due_at_ms = 1000 * (3 - c.place)
     from chosen c where p.subaccount_id = c.subaccount_id and p.id = c.id`,
  );
  expect(await oldestDueMs(service.db, 10)).toEqual(new Map([["test", 1_000]]));
  const dueAge = (await samples()).get("disburse_payouts_oldest_due_age_seconds test");
  expect(dueAge).toBeGreaterThan(1_000_000);

  // A live receiver waits for an operator.
  const review = "disburse_receivers_oldest_review_age_seconds";
  expect(found.get(review)).toBe(0);
  const live = await service.newCaller({ mode: "live" });
  await live.disburse.receivers.create(ada());
  await expect.poll(async () => (await samples()).get(review)).toBeGreaterThanOrEqual(60);
});

test("the build is known by version, Node and commit", async () => {
  const [build] = readFamilies(await metrics.text()).get("disburse_build_info")?.samples ?? [];
  expect(build?.labels).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    node: process.versions.node,
    commit: expect.stringMatching(/^([0-9a-f]{12})?$/),
  });
  expect(commitOf("/nowhere")).toBe("");
});

test("a worker is not ready while it starts, and while it has lost its lock", async () => {
  const { db, seal } = service;
  let background: ReturnType<typeof startBackground> | undefined;
  const readiness = {
    db,
    isDraining: () => false,
    otherReasons: () => workerReasons(background),
  };
  const at = { host: "127.0.0.1", port: 0, isChosen: false };
  const admin = await openAdmin({ ...at, metrics, log, readiness });
  onTestFinished(admin.close);
  const ready = async () => {
    const response = await fetch(`${admin.address}/readyz`);
    return [response.status, ...(await response.json()).reasons];
  };
  expect(await ready()).toEqual([503, "starting: background work has not begun"]);

  const config = readConfig({});
  const kyc = kycProviders(config.kyc);
  const rails = railDirectory([{ mode: "test", rail: sandboxRail({ delayMs: 0 }) }]);
  const parts = { db: db.background, seal, log, metrics, kyc, rails };
  background = startBackground({ ...parts, config, screener: noScreening as never });
  onTestFinished(async () => background?.close());
  await expect.poll(ready).toEqual([200]);

  await loseLocks();
  await expect.poll(ready).toEqual([503, "delivery has lost its lock in the database"]);
  await db.pool.query("alter table delivery_worker_away rename to delivery_worker");
  await expect.poll(ready).toEqual([200]);
});

/** Workers can't take their lock again until the table is back. */
async function loseLocks(): Promise<void> {
  const { pool } = service.db;
  await pool.query("alter table delivery_worker rename to delivery_worker_away");
  await pool.query(`select pg_terminate_backend(pid) from pg_locks
    where locktype = 'advisory' and classid = 4242 and database = (
      select oid from pg_database where datname = current_database())`);
}

test("/readyz of a supervisor names each worker process that has lost its lock", async () => {
  const environment = {
    ...settingsOf(service),
    ADMIN_PORT: "0",
  };
  const serving = await serve(environment, ["--role", "worker", "--processes", "2"]);
  onTestFinished(async () => void (await serving.end()));
  const ready = async () => {
    const response = await fetch(new URL("/readyz", serving.metricsUrl));
    return [response.status, ...(await response.json()).reasons];
  };
  const soon = { timeout: 30_000 };
  await expect.poll(ready, soon).toEqual([200]);
  await loseLocks();
  const lost = (number: number) => `process ${number}: delivery has lost its lock in the database`;
  await expect.poll(ready, soon).toEqual([503, lost(1), lost(2)]);
  await service.db.pool.query("alter table delivery_worker_away rename to delivery_worker");
  await expect.poll(ready, soon).toEqual([200]);
}, 90_000);
