// One payout that can't be built does not delay any other, and is never shown as paid. A slice of
// `npm run prove -- --only poisoned-payouts`, and how such payouts are resolved by hand.

import { expect, test } from "vitest";
import { retryAtMs } from "../../src/money/payouts/set-aside.ts";
import { newId } from "../../src/platform/base/ids.ts";
import { limits } from "../../src/platform/limits/limits.ts";
import { createMetrics } from "../../src/platform/metrics/metrics.ts";
import { payPoisoned } from "../scenarios/poisoned-payouts-run.ts";
import { meAs } from "../support/cli-operator.ts";
import { closeAfterTests } from "../support/close-after-tests.ts";
import { command } from "../support/commands.ts";
import { startConsole, type TestPerson } from "../support/console.ts";
import { newPayee } from "../support/payers.ts";
import { newDatabase, settingsOf } from "../support/service.ts";

const metrics = createMetrics();
const service = await closeAfterTests(startConsole({ bankDelayMs: 0, metrics }));
const first = service.enter("operator");
const second = service.enter("operator");

test("of 300 payouts the 10 % poisoned ones are set aside with their reason, and the others are paid", async () => {
  const parts = await newDatabase();
  try {
    const { complaints, counts } = await payPoisoned(parts, { payouts: 300, oneIn: 10, seed: 7 });
    expect(complaints).toEqual([]);
    expect(counts.unreadable).toBeGreaterThan(0);
    expect(counts.unbuildable).toBeGreaterThan(0);
    expect(counts.paid + counts.unreadable + counts.unbuildable).toBe(300);
  } finally {
    await parts.db.close();
  }
});

test("the pause before the next attempt doubles up to an hour", () => {
  const waits = [1, 2, 3, 20, 1_000].map((attempts) => retryAtMs(0, attempts, 0.5));
  expect(waits).toEqual([15_000, 30_000, 60_000, limits.railRetryMaxMs, limits.railRetryMaxMs]);
});

/** A funded subaccount with a receiver account, and functions that create and read its payouts. */
async function newPayout(accountNumber: string) {
  const caller = await service.newCaller();
  const { disburse, subaccountId } = caller;
  const { receiver_id, account_id } = await newPayee(disburse, accountNumber);
  await disburse.testHelpers.fund({ amount: 10_000, currency: "AUD", reference: newId() });
  const spoil = () =>
    service.db.pool.query(
      "update bank_details set account_number_sealed = '\\x01' where account_id = $1",
      [account_id],
    );
  const pay = async () => {
    const body = { receiver_id, account_id, amount: 1_250, currency: "AUD", reference: newId() };
    return (await disburse.payouts.create(body)).payout_id;
  };
  const stored = async (id: string) => {
    const { rows } = await service.db.pool.query(
      `select p.stage, p.due_at_ms, p.provider_reference, s.reason from payout p
       left join payout_set_aside s on s.subaccount_id = p.subaccount_id and s.payout_id = p.id
       where p.id = $1`,
      [id],
    );
    return rows[0];
  };
  const available = async () => (await disburse.balance.get())[0]?.available;
  const path = (id: string) => `/s/${subaccountId}/payouts/${id}`;
  return { ...caller, receiver_id, account_id, spoil, pay, stored, available, path };
}

/** A payout that the bank has but does not report, as if it was sent an hour ago and is due much later. */
async function silentPayout() {
  const payer = await newPayout("12345888");
  const id = await payer.pay();
  await expect.poll(async () => (await payer.stored(id)).provider_reference).toMatch(/^sandbox/);
  await expect
    .poll(async () => {
      const { due_at_ms } = await payer.stored(id);
      return Number(due_at_ms) - Date.now();
    })
    .toBeGreaterThan(5_000);
  await service.db.pool.query(
    "update payout set updated_at_ms = updated_at_ms - 3600000, due_at_ms = $2 where id = $1",
    [id, Date.now() + 600_000],
  );
  return { ...payer, id };
}

test("a payout whose account number can't be decrypted is not sent, has a reason, and can be cancelled", async () => {
  const payer = await newPayout("12345999");
  await payer.spoil();
  const id = await payer.pay();
  await expect
    .poll(() => payer.stored(id))
    .toMatchObject({ stage: "queued", reason: "its account number can't be decrypted" });
  const { json } = await first.get(payer.path(id));
  expect(json.set_aside.reason).toBe("its account number can't be decrypted");
  expect(json.what_now.line).toContain("It was not sent");
  const overview = await first.get(`/s/${payer.subaccountId}/overview`);
  expect(overview.json.attention).toContainEqual(
    expect.objectContaining({ kind: "payouts_set_aside", count: 1 }),
  );
  expect(await metrics.text()).toMatch(/^disburse_payouts_set_aside [1-9]/m);
  expect(service.logged.join("")).toContain("payouts: set aside");
  await payer.disburse.payouts.cancel(id);
  expect(await payer.stored(id)).toMatchObject({ stage: "cancelled", reason: null });
});

test("the bank is asked again about a payout that it does not report", async () => {
  const { id, stored } = await silentPayout();
  await service.db.pool.query("update payout set due_at_ms = 1 where id = $1", [id]);
  await expect.poll(async () => Number((await stored(id)).due_at_ms)).toBeGreaterThan(Date.now());
  expect(await stored(id)).toMatchObject({ stage: "submitted" });
});

test("two users resolve a payout, with the same outcome, and each types its amount", async () => {
  const { id, path, stored, available } = await silentPayout();
  const resolve = (by: TestPerson, outcome: string, amount = 1_250) =>
    by.post(`${path(id)}/resolve`, { outcome, reason: "the bank says so", amount });
  expect(await resolve(first, "rejected", 1)).toMatchObject({ status: 400 });
  expect((await resolve(first, "rejected")).json).toEqual({
    ...{ state: "proposed", stage: "submitted" },
  });
  expect((await resolve(first, "rejected")).json.error[0].code).toBe("CONS402");
  // Another outcome is a separate proposal.
  expect((await resolve(second, "paid")).json.state).toBe("proposed");
  expect((await resolve(second, "rejected")).json.state).toBe("proposed");
  expect(await stored(id)).toMatchObject({ stage: "submitted" });
  expect(await available()).toBe(8_750);
  expect((await resolve(first, "rejected")).json).toEqual({ state: "resolved", stage: "rejected" });
  expect(await available()).toBe(10_000);
  expect((await resolve(second, "rejected")).json.error[0].code).toBe("CONS505");
});

test("a payout that is not late or is being sent can't be resolved", async () => {
  const { id, path } = await silentPayout();
  const body = { outcome: "paid", reason: "x", amount: 1_250 };
  await service.db.pool.query("update payout set due_at_ms = $2 where id = $1", [
    ...[id, Date.now() + 10_000],
  ]);
  expect((await first.post(`${path(id)}/resolve`, body)).json.error[0].code).toBe("CONS506");
  await service.db.pool.query(
    "update payout set due_at_ms = null, updated_at_ms = $2 where id = $1",
    [id, Date.now()],
  );
  expect((await first.post(`${path(id)}/resolve`, body)).json.error[0].code).toBe("CONS505");
});

test("the command line resolves a payout with a reason, and the audit log has it", async () => {
  const { id, subaccountId, stored } = await silentPayout();
  const environment = settingsOf(service);
  const words = ["payouts", "resolve", id, "--as", "paid", "--reason", "statement of 3 May"];
  const rest = ["--subaccount", subaccountId, "--by", "eve", "--json"];
  const refused = await command([...words, ...rest], environment);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("--yes")]);
  const done = await command([...words, ...rest, "--yes"], environment);
  expect([done.code, JSON.parse(done.stdout)]).toEqual([
    ...[0, { payout_id: id, status: "successful", stage: "settled" }],
  ]);
  expect(await stored(id)).toMatchObject({ stage: "settled" });
  const { rows } = await service.db.pool.query(
    "select who, after from audit_entry where action = 'payout.resolve' and object_id = $1",
    [id],
  );
  expect(rows).toEqual([
    {
      who: meAs("eve"),
      after: {
        ...{ outcome: "paid", reason: "statement of 3 May", stage: "settled" },
        ...{ amount: 1250, currency: "AUD" },
      },
    },
  ]);
});

test("an account that can't be decrypted does not hide the others in the list", async () => {
  const payer = await newPayout("12345999");
  const bank = { account_type: "I" as const, bsb: "062000", account_number: "12345111" };
  const { account_id } = await payer.disburse.receiverAccounts.create({
    ...{ receiver_id: payer.receiver_id, ...bank },
  });
  await payer.spoil();
  const { status, json } = await payer.call(
    "GET",
    `/api/receiveraccount/receiver/${payer.receiver_id}`,
  );
  expect(status).toBe(200);
  const shown = json.payload.map(
    (account: {
      id: string;
      bank_account_data: { account_number: string };
      account_data: { receiver_accepted: boolean };
    }) => [
      account.id,
      account.bank_account_data.account_number,
      account.account_data.receiver_accepted,
    ],
  );
  expect(shown).toEqual([
    [account_id, "12345111", true],
    [payer.account_id, "", false],
  ]);
});

test("a proposal that can't be decrypted is listed with the others and can only be declined", async () => {
  const payer = await newPayout("12345999");
  const other = await newPayout("12345999");
  const change = { account_number: "12345777" };
  const propose = async ({ subaccountId, account_id }: typeof payer) =>
    (await first.patch(`/s/${subaccountId}/accounts/${account_id}`, change)).json.change_id;
  const [bad, good] = [await propose(payer), await propose(other)];
  await service.db.pool.query(
    "update bank_details_change set proposal_sealed = '\\x01' where id = $1",
    [bad],
  );
  const { status, json } = await second.get("/approvals?kind=bank_change");
  expect(status).toBe(200);
  const unreadable = json.rows.map(({ id, change }: { id: string; change: object }) => [
    ...[id, (change as { is_unreadable: boolean }).is_unreadable],
  ]);
  expect(unreadable).toEqual([
    [bad, true],
    [good, false],
  ]);
  const path = `/s/${payer.subaccountId}/bank-changes/${bad}`;
  expect((await second.post(`${path}/approve`)).json.error[0].code).toBe("CONS406");
  expect((await second.post(`${path}/decline`, { reason: "unreadable" })).status).toBe(200);
});

test("a secret that can't be decrypted does not affect other keys", async () => {
  const [bad, good] = [await service.newCaller(), await service.newCaller()];
  await service.db.pool.query("update api_secret set sealed = '\\x01' where key = $1", [bad.key]);
  const answers = await Promise.all(
    [bad, good].map((caller) => caller.call("GET", "/api/receiver")),
  );
  expect(answers.map(({ status }) => status)).toEqual([401, 200]);
});
