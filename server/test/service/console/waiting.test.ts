// What waits for a second user expires after 30 days, is shown before, and has an age in the metrics.

import { expect, test } from "vitest";
import { expireWaiting } from "../../../src/doors/console/waiting/expire.ts";
import { waitingKinds } from "../../../src/doors/console/waiting/queries.ts";
import { startWaitingWorker } from "../../../src/doors/console/waiting/worker.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { createLog } from "../../../src/platform/log/log.ts";
import { createMetrics } from "../../../src/platform/metrics/metrics.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { startConsole, type TestPerson } from "../../support/console.ts";
import { newPayee } from "../../support/payers.ts";
import { readFamilies } from "../../support/prometheus-text.ts";

const service = await closeAfterTests(startConsole({ bankDelayMs: 20 }));
const admin = service.enter("admin");

const log = createLog({ level: "silent" });
const dayMs = 24 * 3_600_000;
const expire = (days: number) =>
  expireWaiting({ ...service, log }, { nowMs: Date.now() + days * dayMs, limit: 100 });

/** One of each kind that a user can make waits. */
async function newRequests() {
  const { disburse, subaccountId, key } = await service.newCaller({ mode: "live" });
  const test = await service.newCaller();
  const { receiver_id, account_id } = await newPayee(test.disburse);
  await test.disburse.testHelpers.fund({ amount: 1_000_000, currency: "AUD", reference: newId() });
  await service.db.pool.query(
    "insert into payout_limit (subaccount_id, currency, approval_above) values ($1, 'AUD', 0)",
    [test.subaccountId],
  );
  const payout = { receiver_id, account_id, currency: "AUD", amount: 100, reference: newId() };
  const { payout_id } = await test.disburse.payouts.create(payout);
  const operator = service.enter("operator");
  const bank = { bsb: "062000", account_number: "87654321" };
  await operator.patch(`/s/${test.subaccountId}/accounts/${account_id}`, bank);
  const made = await operator.post(`/s/${subaccountId}/keys`, { name: "shop", scopes: ["payout"] });
  await operator.post(`/s/${subaccountId}/keys/${key}/rotate`, { grace_ms: 0 });
  const limits = { per_payout_max: null, per_day_max: null, approval_above: 500_000 };
  await admin.put(`/s/${subaccountId}/limits`, { currency: "AUD", ...limits });
  return { live: { disburse, subaccountId, key }, test, payout_id, waitingKey: made.json.key };
}

const waitingIn = async (subaccountId: string): Promise<string[]> =>
  (await admin.get(`/approvals?subaccount_id=${subaccountId}`)).json.rows.map(
    ({ kind }: { kind: string }) => kind,
  );

test("what no second user has decided within 30 days expires, with an audit entry of the service", async () => {
  const { live, test, payout_id, waitingKey } = await newRequests();
  await expire(29.9);
  expect((await waitingIn(live.subaccountId)).sort()).toEqual(["key", "limits", "rotation"]);
  expect((await waitingIn(test.subaccountId)).sort()).toEqual(["bank_change", "payout"]);

  const { expired } = await expire(30.1);
  for (const kind of ["payout", "bank_change", "key", "rotation", "limits"] as const) {
    expect(expired.get(kind), kind).toBeGreaterThan(0);
  }
  expect(await waitingIn(live.subaccountId)).toEqual([]);
  expect(await waitingIn(test.subaccountId)).toEqual([]);
  // The payout fails as a declined one, with its cause; its money is available again.
  const payout = await test.disburse.payouts.get(payout_id);
  expect(payout).toMatchObject({ status: "failed", cause: "not approved within 30 days" });
  const [balance] = await test.disburse.balance.get();
  expect(balance).toMatchObject({ available: 1_000_000 });
  // The key that waited is revoked. The rotated key works on with its secret of before.
  const { rows } = (await admin.get(`/s/${live.subaccountId}/keys?status=all`)).json;
  const statusOf = (key: string) => rows.find((row: { key: string }) => row.key === key);
  expect(statusOf(waitingKey)).toMatchObject({ status: "revoked" });
  expect(statusOf(live.key)).toMatchObject({ status: "active", secret_awaits_approval: false });
  expect(await live.disburse.balance.get()).toEqual([]);
  for (const { subaccountId, actions } of [
    {
      subaccountId: live.subaccountId,
      actions: ["key.expire", "key.expire_rotation", "limits.expire"],
    },
    { subaccountId: test.subaccountId, actions: ["account.expire", "payout.expire"] },
  ]) {
    const entries = (await admin.get(`/audit?subaccount_id=${subaccountId}&who=service`)).json.rows;
    const found = entries.map(({ action }: { action: string }) => action).sort();
    expect(found).toEqual(actions);
  }
  expect((await expire(30.1)).expired.size).toBe(0);
});

test("a proposed outcome of a sent payout expires too, and can be proposed again", async () => {
  const { payout_id, test } = await newRequests();
  const { pool } = service.db;
  const propose = (atMs: number) =>
    pool.query(
      `insert into payout_resolution (subaccount_id, payout_id, outcome, reason, proposed_by, proposed_at_ms)
       values ($1, $2, 'paid', 'the bank says so', 'operator:a@example.com', $3)`,
      [test.subaccountId, payout_id, atMs],
    );
  const left = async () =>
    (await pool.query("select from payout_resolution where payout_id = $1", [payout_id])).rowCount;
  await propose(Date.now() - 29 * dayMs);
  await expire(0);
  expect(await left()).toBe(1);
  await pool.query("delete from payout_resolution where payout_id = $1", [payout_id]);
  await propose(Date.now() - 31 * dayMs);
  expect((await expire(0)).expired.get("resolution")).toBe(1);
  expect(await left()).toBe(0);
  const path = `/audit?subaccount_id=${test.subaccountId}&who=service`;
  expect((await admin.get(path)).json.rows[0]).toMatchObject({
    action: "payout.expire_resolution",
  });
});

test("proposed rules, requested bank connections and list versions expire too", async () => {
  const madeAtMs = Date.now();
  const { pool } = service.db;
  const rules = await pool.query(
    `insert into payout_rule_set (rules, hash, status, made_by, made_at_ms)
     values ('[]', '', 'proposed', 'operator:a@example.com', $1) returning version`,
    [madeAtMs],
  );
  const connection = newId();
  await pool.query(
    `insert into bank_connection_request (id, kind, name, before, after, settings_sha256, made_by, made_at_ms)
     values ($1, 'add', $2, '{}', '{}', '', 'operator:a@example.com', $3)`,
    [connection, `bank ${connection}`, madeAtMs],
  );
  const list = newId();
  await pool.query(
    `insert into screening_list_version (id, list, hash, reader, published_day, entries, names, added, changed,
       removed, status, made_by, at_ms)
     values ($1, 'ofac', $2, 1, '', 0, 0, 0, 0, 0, 'waiting', 'operator:a@example.com', $3)`,
    [list, newId(), madeAtMs],
  );
  const { expired } = await expire(30.1);
  for (const kind of ["rules", "bank_connection", "screening_list"] as const) {
    expect(expired.get(kind), kind).toBeGreaterThan(0);
  }
  const states = await pool.query(
    `select (select status from payout_rule_set where version = $1) as rules,
            (select status from bank_connection_request where id = $2) as connection,
            (select status from screening_list_version where id = $3) as list`,
    [rules.rows[0].version, connection, list],
  );
  expect(states.rows).toEqual([{ rules: "expired", connection: "expired", list: "expired" }]);
});

test("the request that finance may approve expires too, and can be made again", async () => {
  const allow = (by: TestPerson) => by.put("/users/finance-approval", { allowed: true });
  const read = async () =>
    (await service.db.pool.query("select finance_may_approve, finance_asked_by from installation"))
      .rows[0];
  await allow(admin);
  expect((await expire(29.9)).expired.get("finance_approval")).toBe(undefined);
  expect(await read()).toEqual({ finance_may_approve: false, finance_asked_by: admin.who });
  expect((await expire(30.1)).expired.get("finance_approval")).toBe(1);
  expect(await read()).toEqual({ finance_may_approve: false, finance_asked_by: null });
  const { rows } = await service.db.pool.query(
    "select who, after from audit_entry where action = 'people.expire_finance_approval'",
  );
  expect(rows).toEqual([{ who: "service", after: { made_by: admin.who } }]);
  // A second admin after that is the first one again.
  await allow(service.enter("admin"));
  expect((await read()).finance_may_approve).toBe(false);
  await admin.put("/users/finance-approval", { allowed: false });
});

test("the overview says what expires within three days", async () => {
  const { subaccountId } = await service.newCaller({ mode: "live" });
  const operator = service.enter("operator");
  await operator.post(`/s/${subaccountId}/keys`, { name: "shop", scopes: ["payout"] });
  const expiring = async () =>
    (await operator.get(`/s/${subaccountId}/overview`)).json.attention.filter(
      ({ kind }: { kind: string }) => kind === "requests_expiring",
    );
  expect(await expiring()).toEqual([]);
  // As if it had been made 28 days ago.
  await service.db.pool.query(
    `update change_request set made_at_ms = $2, id = $3 where subaccount_id = $1`,
    [subaccountId, Date.now() - 28 * dayMs, `00000000${newId().slice(8)}`],
  );
  expect(await expiring()).toMatchObject([{ count: 1, opens: { screen: "approvals" } }]);
});

test("the age of the oldest waiting request of each kind is a metric", async () => {
  const { subaccountId } = await service.newCaller({ mode: "live" });
  await service
    .enter("operator")
    .post(`/s/${subaccountId}/keys`, { name: "shop", scopes: ["payout"] });
  const metrics = createMetrics();
  const aheadMs = 60_000;
  const clock = () => Date.now() + aheadMs;
  const worker = startWaitingWorker({ ...service, log, metrics, clock });
  try {
    const family = readFamilies(await metrics.text()).get("disburse_approvals_oldest_age_seconds");
    const ages = new Map(family?.samples.map(({ labels, value }) => [labels.kind, value]));
    expect([...ages.keys()].sort()).toEqual([...waitingKinds].sort());
    expect(ages.get("key")).toBeGreaterThanOrEqual(aheadMs / 1000);
    expect(ages.get("erasure")).toBe(0);
  } finally {
    await worker.close();
  }
});
