// Thresholds by payout and by batch: which payouts wait, who may loosen the limits, and retries.

import { expect, onTestFinished, test } from "vitest";
import { defaultThresholds } from "../../../src/money/payouts/payout.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { command } from "../../support/commands.ts";
import type { TestPerson } from "../../support/console.ts";
import { type Answer, settingsOf } from "../../support/service.ts";
import { newThresholdPayer, startThresholdConsole } from "../../support/threshold-payers.ts";

/** The service's clock is ahead by this much. */
let aheadMs = 0;
const service = await closeAfterTests(startThresholdConsole(() => Date.now() + aheadMs));
const admin = service.enter("admin");

const codeOf = ({ status, json }: Answer) => [status, json?.error?.[0]?.code];
const none = { per_payout_max: null, per_day_max: null, approval_above: null };
const newPayer = (options?: { mode?: "test" | "live" }) => newThresholdPayer(service, options);

test("a live subaccount has a threshold of 1,000 units until another is set; a test subaccount has none", async () => {
  const amounts = (currency: string) => defaultThresholds("live", currency).approvalAbove;
  expect([amounts("AUD"), amounts("JPY"), amounts("KWD")]).toEqual([100_000n, 1_000n, 1_000_000n]);
  const live = await newPayer({ mode: "live" });
  expect(await live.pay(100_000)).toBe("queued");
  expect(await live.pay(100_001, await live.newPayee())).toBe("awaiting_approval");
  expect((await admin.get(live.limits)).json).toEqual({
    rows: [],
    waiting: [],
    default_units: 1_000,
  });
  const test = await newPayer();
  expect(await test.pay(100_001)).not.toBe("awaiting_approval");
  expect((await admin.get(test.limits)).json.default_units).toBeNull();
});

test("the approval queue says which rules stopped a payout", async () => {
  const payer = await newPayer({ mode: "live" });
  const { disburse, subaccountId } = payer;
  const reasons = async (kind: "payout" | "batch" = "payout") => {
    const { json } = await admin.get(`/approvals?kind=${kind}&subaccount_id=${subaccountId}`);
    return json.rows.map(
      (row: Record<string, { reasons: object[] }>) =>
        row[kind === "batch" ? "sums" : kind]?.reasons,
    );
  };
  await payer.pay(100_001);
  const above = 100_000;
  const alone = [
    { rule: "payout", above },
    { rule: "receiver_day", above },
    { rule: "account_day", above },
  ];
  expect(await reasons()).toEqual([alone]);
  const payees = [await payer.newPayee(), await payer.newPayee()];
  const payouts = payees.map((payee) => payer.input(60_000, payee));
  await disburse.payouts.createBatch(payouts);
  expect(await reasons()).toEqual([alone]);
  expect(await reasons("batch")).toEqual([[{ rule: "batch", above, currency: "AUD" }]]);
  const changed = await payer.newPayee();
  await disburse.receiverAccounts.update(changed.account_id, { account_number: "87654321" });
  await payer.pay(1_000, changed);
  expect((await reasons()).at(-1)).toEqual([{ rule: "bank_details", above: null }]);
});

test("a batch whose total is above the threshold waits as a whole", async () => {
  const payer = await newPayer({ mode: "live" });
  const payees = await Promise.all(Array.from({ length: 4 }, () => payer.newPayee()));
  const make = async (amount: number) => {
    const payouts = payees.map((to) => payer.input(amount, to));
    const made = await payer.disburse.payouts.createBatch(payouts);
    return Promise.all(made.payouts.map(({ payout_id }) => payer.stageOf(payout_id)));
  };
  expect(await make(25_000)).toEqual(Array(4).fill("queued"));
  expect(await make(25_001)).toEqual(Array(4).fill("awaiting_approval"));
});

test("a preview says why a payout would wait, agrees with its creation, and writes nothing", async () => {
  const operator = service.enter("operator");
  const payer = await newPayer({ mode: "live" });
  const payouts = `/s/${payer.subaccountId}/payouts`;
  const previewOf = async (amount: number, to = payer.payee) => {
    const { status, json } = await operator.post(`${payouts}/preview`, payer.input(amount, to));
    expect(status).toBe(200);
    return json.approval;
  };
  const byPayout = { rule: "payout", above: 100_000 };
  const byDay = [
    { rule: "receiver_day", above: 100_000 },
    { rule: "account_day", above: 100_000 },
  ];
  const byBankDetails = { rule: "bank_details", above: null };

  expect(await previewOf(100_000)).toEqual([]);
  expect(await previewOf(100_001)).toEqual([byPayout, ...byDay]);
  expect(await payer.pay(60_000)).toBe("queued");
  expect(await previewOf(40_000)).toEqual([]);
  expect(await previewOf(40_001)).toEqual(byDay);
  expect(await payer.pay(40_001)).toBe("awaiting_approval");
  const other = await payer.newPayee();
  const bank = { bsb: "062000", account_number: "12345998" };
  await payer.disburse.receiverAccounts.update(other.account_id, bank);
  expect(await previewOf(1, other)).toEqual([byBankDetails]);
  expect(await payer.pay(1, other)).toBe("awaiting_approval");

  const { rows } = (await operator.get(payouts)).json;
  expect(rows).toHaveLength(3);
  // It is refused for the same reasons as the creation.
  const tooMuch = await operator.post(`${payouts}/preview`, payer.input(1_000_000_001));
  expect(codeOf(tooMuch)).toEqual([409, "PAYO227"]);
});

test("CONS402: looser limits wait for another admin, however long it takes; stricter ones apply at once", async () => {
  const payer = await newPayer();
  const set = (person: TestPerson, more: object) =>
    person.put(payer.limits, { currency: "AUD", ...none, ...more });
  const strict = await set(admin, { approval_above: 100, receiver_day_approval_above: 500 });
  expect(strict.json).toEqual({ currency: "AUD", awaits_approval: false, applied: true });
  expect(await payer.pay(101)).toBe("awaiting_approval");

  const loose = await set(admin, { approval_above: 1_000 });
  expect(loose.json).toEqual({ currency: "AUD", awaits_approval: true, applied: false });
  expect(await payer.pay(102)).toBe("awaiting_approval");
  const waiting = async () =>
    (await admin.get(`/approvals?subaccount_id=${payer.subaccountId}&kind=limits`)).json.rows[0];
  const path = async () => `/s/${payer.subaccountId}/change-requests/${(await waiting()).id}`;
  expect((await waiting()).request.changes).toEqual([
    { field: "approval_above", before: "100", after: "1000" },
  ]);
  const { attention } = (await admin.get(`/s/${payer.subaccountId}/overview`)).json;
  expect(attention).toContainEqual(
    expect.objectContaining({ kind: "limits_awaiting_approval", name: admin.person.email }),
  );
  expect(codeOf(await admin.post(`${await path()}/approve`))).toEqual([403, "CONS402"]);
  const operator = service.enter("operator");
  expect(codeOf(await operator.post(`${await path()}/approve`))).toEqual([403, "CONS102"]);
  expect((await service.enter("admin").post(`${await path()}/approve`)).status).toBe(200);
  const [row] = (await admin.get(payer.limits)).json.rows;
  expect(row).toMatchObject({ approval_above: 1_000, receiver_day_approval_above: 500 });

  // Nor can the admin who requested it approve it days later.
  await set(admin, { approval_above: 2_000 });
  const old = await path();
  onTestFinished(() => {
    aheadMs = 0;
  });
  aheadMs = 47 * 3_600_000;
  const later = service.enter("admin", { provenAtMs: Date.now() + 47 * 3_600_000 });
  await later.ready;
  await service.db.pool.query(
    "update change_request set made_by = $1 where subaccount_id = $2 and status = 'waiting'",
    [later.who, payer.subaccountId],
  );
  await service.db.pool.query(
    "update user_session set seen_at = now() + interval '47 hours', created_at = now() + interval '44 hours', expires_at = now() + interval '3 days' where user_id = $1",
    [later.person.id],
  );
  expect(codeOf(await later.post(`${old}/approve`))).toEqual([403, "CONS402"]);
});

test("of one change, the stricter limits apply at once and only the looser ones wait", async () => {
  const payer = await newPayer();
  const set = (more: object) => admin.put(payer.limits, { currency: "AUD", ...none, ...more });
  await set({ approval_above: 100, per_payout_max: 900 });
  const { json } = await set({ approval_above: 500, per_payout_max: 700 });
  expect(json).toEqual({ currency: "AUD", awaits_approval: true, applied: true });
  const [row] = (await admin.get(payer.limits)).json.rows;
  expect(row).toMatchObject({ approval_above: 100, per_payout_max: 700 });
  const path = `/approvals?subaccount_id=${payer.subaccountId}&kind=limits`;
  const [waiting] = (await admin.get(path)).json.rows;
  expect(waiting.request.changes).toEqual([
    { field: "approval_above", before: "100", after: "500" },
  ]);
});

test("CONS409: a change that was requested on other limits is refused", async () => {
  const payer = await newPayer();
  const set = (more: object) => admin.put(payer.limits, { currency: "AUD", ...none, ...more });
  await set({ approval_above: 100 });
  await set({ approval_above: 200 });
  const rows = (await admin.get(`/approvals?subaccount_id=${payer.subaccountId}`)).json.rows;
  await service.db.pool.query("update payout_limit set per_day_max = 7 where subaccount_id = $1", [
    payer.subaccountId,
  ]);
  const path = `/s/${payer.subaccountId}/change-requests/${rows[0].id}/approve`;
  expect(codeOf(await service.enter("admin").post(path))).toEqual([409, "CONS409"]);
});

test("ledger limit keeps limits that are not given, and removes those given as none", async () => {
  const payer = await newPayer({ mode: "live" });
  const limit = async (...words: string[]) => {
    const line = ["ledger", "limit", "--currency", "AUD", "--subaccount", payer.subaccountId];
    const environment = settingsOf(service);
    const { code, stdout } = await command([...line, ...words, "--json"], environment);
    expect(code).toBe(0);
    return JSON.parse(stdout);
  };
  const usual = { approval_above: "1000.00 AUD", batch_approval_above: "1000.00 AUD" };
  expect(await limit("--per-payout", "5000", "--per-day", "20000")).toMatchObject({
    ...usual,
    per_payout: "5000.00 AUD",
    per_day: "20000.00 AUD",
  });
  expect(await limit("--approval-above", "10", "--per-payout", "none")).toMatchObject({
    approval_above: "10.00 AUD",
    per_payout: "none",
    per_day: "20000.00 AUD",
    batch_approval_above: "1000.00 AUD",
    receiver_day_approval_above: "1000.00 AUD",
    account_day_approval_above: "1000.00 AUD",
  });
  expect(await limit("--account-day-approval-above", "none")).toMatchObject({
    receiver_day_approval_above: "1000.00 AUD",
    account_day_approval_above: "none",
  });
});

test("a failed payout is retried only once, and no caller's idempotency key can prevent it", async () => {
  const payer = await newPayer();
  const { payout_id } = await payer.disburse.payouts.create(payer.input(500));
  await service.db.pool.query(
    "update payout set status = 'failed', stage = 'cancelled' where id = $1",
    [payout_id],
  );
  for (const idempotencyKey of [`console:retry:${payout_id}`, `consoleretry:${payout_id}`]) {
    await payer.disburse.payouts.create(payer.input(1), { idempotencyKey });
  }
  const operator = service.enter("operator");
  const path = `/s/${payer.subaccountId}/payouts/${payout_id}/retry`;
  const first = await operator.post(path);
  expect(first.status).toBe(200);
  expect(first.json.payout_id).not.toBe(payout_id);
  // As after 30 days.
  await service.db.pool.query("delete from idempotency_key where subaccount_id = $1", [
    payer.subaccountId,
  ]);
  const again = await operator.post(path);
  expect(again.json.payout_id).toBe(first.json.payout_id);
});

test("live and test payouts are not approved in one request", async () => {
  const payers = [await newPayer({ mode: "live" }), await newPayer()] as const;
  await admin.put(payers[1].limits, { currency: "AUD", ...none, approval_above: 100 });
  const items = await Promise.all(
    payers.map(async ({ disburse, subaccountId, input }) => {
      const { payout_id } = await disburse.payouts.create(input(200_000));
      return { subaccount_id: subaccountId, payout_id };
    }),
  );
  const approve = (those: object[]) =>
    service.enter("operator").post("/approvals/payouts/approve", { items: those });
  expect(codeOf(await approve(items))).toEqual([400, "CONS415"]);
  for (const [index, payer] of payers.entries()) {
    const { payout_id } = items[index] as (typeof items)[number];
    expect(await payer.stageOf(payout_id)).toBe("awaiting_approval");
    expect((await approve(items.slice(index, index + 1))).json.results).toMatchObject([
      { outcome: "approved" },
    ]);
  }
});
