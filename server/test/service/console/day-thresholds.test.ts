// Thresholds by receiver and day, by bank account and day, and for new bank details: which payouts wait.

import { expect, test } from "vitest";
import { deletePastDayTotals } from "../../../src/money/payouts/day-total-queries.ts";
import { dayOf } from "../../../src/money/payouts/payout.ts";
import { insertPayouts, type PayoutToInsert } from "../../../src/money/payouts/queries.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import type { TestPerson } from "../../support/console.ts";
import type { Answer } from "../../support/service.ts";
import {
  newAccountNumber,
  newThresholdPayer,
  startThresholdConsole,
  type ThresholdPayer,
} from "../../support/threshold-payers.ts";

const service = await closeAfterTests(startThresholdConsole());
const admin = service.enter("admin");

const codeOf = ({ status, json }: Answer) => [status, json?.error?.[0]?.code];
const none = { per_payout_max: null, per_day_max: null, approval_above: null };
const newPayer = (options?: { mode?: "test" | "live" }) => newThresholdPayer(service, options);

test("a receiver's payouts of a day are added up over accounts and calls, also for calls at once", async () => {
  const payer = await newPayer({ mode: "live" });
  const { receiver_id } = payer.payee;
  const bank = { account_type: "I" as const, bsb: "062000", account_number: "12345998" };
  const second = await payer.disburse.receiverAccounts.create({ receiver_id, ...bank });
  const other = { receiver_id, account_id: second.account_id };
  const stages = await Promise.all(
    Array.from({ length: 20 }, (_, index) => payer.pay(10_000, index % 2 ? other : payer.payee)),
  );
  expect(stages.filter((stage) => stage === "queued")).toHaveLength(10);
  expect(stages.filter((stage) => stage === "awaiting_approval")).toHaveLength(10);
  expect(await payer.pay(1, other)).toBe("awaiting_approval");
  expect(await payer.pay(10_000, await payer.newPayee())).toBe("queued");
});

test("payouts to one bank account are added up over receivers, also where one number has zeros in front", async () => {
  const payer = await newPayer({ mode: "live" });
  const numbersOfOne = ["87651234", "087651234", "87651234"];
  const payees = await Promise.all(numbersOfOne.map((number) => payer.newPayee(number)));
  const stages = await Promise.all(
    payees.flatMap((payee) => [payer.pay(40_000, payee), payer.pay(10_000, payee)]),
  );
  expect(stages.filter((stage) => stage === "awaiting_approval").length).toBeGreaterThanOrEqual(2);
  await expectTotalsOfDay(payer);
  const fresh = await payer.newPayee("87651234");
  expect(await payer.pay(99_999, fresh)).toBe("awaiting_approval");
  const { json } = await admin.get(`/approvals?kind=payout&subaccount_id=${payer.subaccountId}`);
  expect(json.rows.at(-1).payout.reasons).toEqual([{ rule: "account_day", above: 100_000 }]);
  expect(await payer.pay(99_999, await payer.newPayee())).toBe("queued");
});

test("an account in New Zealand is one, whether its suffix has two digits or three", async () => {
  const payer = await newPayer({ mode: "live" });
  const [short, long] = ["01-0902-0068389-00", "01-0902-0068389-000"];
  const newOne = (number: string) => payer.newPayee(number, { country: "NZL" });
  const payees = await Promise.all([short, long, short].map(newOne));
  expect(await payer.pay(60_000, payees[0], "NZD")).toBe("queued");
  expect(await payer.pay(60_000, payees[1], "NZD")).toBe("awaiting_approval");
  await expectTotalsOfDay(payer);
  const { account_id } = payees[1] as { account_id: string };
  const stored = await payer.disburse.receiverAccounts.get(account_id);
  expect(stored.bank_account_data.account_number).toBe("0109020068389000");

  const other = await payer.newPayee("01-0902-0068389-001", { country: "NZL" });
  const markOf = async (id: string | undefined) => {
    const { rows } = await service.db.pool.query(
      "select account_number_mark as mark from bank_details where account_id = $1",
      [id],
    );
    return rows[0].mark as string;
  };
  const mark = await markOf(account_id);
  expect(await markOf(payees[0]?.account_id)).toBe(mark);
  expect(await markOf(other.account_id)).not.toBe(mark);
});

test("the threshold per bank account is set like the others, and follows the one per receiver in rows of before", async () => {
  const payer = await newPayer();
  const set = (more: object) => admin.put(payer.limits, { currency: "AUD", ...none, ...more });
  await service.db.pool.query(
    "insert into payout_limit (subaccount_id, currency, receiver_day_approval_above) values ($1, 'AUD', 500)",
    [payer.subaccountId],
  );
  const row = async () => (await admin.get(payer.limits)).json.rows[0];
  expect(await row()).toMatchObject({ account_day_approval_above: 500 });
  const [one, other] = [await payer.newPayee("55551111"), await payer.newPayee("55551111")];
  expect(await payer.pay(400, one)).toBe("queued");
  expect(await payer.pay(101, other)).toBe("awaiting_approval");
  expect((await set({ account_day_approval_above: 400 })).json.awaits_approval).toBe(false);
  expect(await row()).toMatchObject({
    receiver_day_approval_above: 500,
    account_day_approval_above: 400,
  });
  expect((await set({ account_day_approval_above: null })).json.awaits_approval).toBe(true);
});

/** The totals that are kept are the sums over the payouts. */
async function expectTotalsOfDay({ subaccountId }: { subaccountId: string }): Promise<void> {
  const { rows } = await service.db.pool.query<{ total: string; sum: string }>(
    `select t.total, coalesce(sum(p.amount), 0) as sum from payout_day_total t
     left join (payout p join bank_details d
       on d.subaccount_id = p.subaccount_id and d.account_id = p.account_id and d.version = p.account_version)
       on p.subaccount_id = t.subaccount_id and p.currency = t.currency and p.status <> 'failed'
       and t.subject in (p.receiver_id::text, d.account_number_mark)
     where t.subaccount_id = $1 and t.subject <> '' group by t.subject, t.total`,
    [subaccountId],
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.map(({ total }) => total)).toEqual(rows.map(({ sum }) => sum));
}

test("a payout that fails no longer counts towards the totals of its day", async () => {
  const payer = await newPayer({ mode: "live" });
  const { disburse } = payer;
  const { payout_id } = await disburse.payouts.create(payer.input(60_000));
  expect(await payer.pay(40_000)).toBe("queued");
  await disburse.payouts.cancel(payout_id);
  await expectTotalsOfDay(payer);
  expect(await payer.pay(60_000)).toBe("queued");
  expect(await payer.pay(1)).toBe("awaiting_approval");
});

test("totals of the day are right after payouts that are created and cancelled at once", async () => {
  const payer = await newPayer({ mode: "live" });
  const payees = [payer.payee, await payer.newPayee("44440000"), await payer.newPayee("44440000")];
  await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      const input = payer.input(1_000 + index, payees[index % payees.length]);
      const { payout_id } = await payer.disburse.payouts.create(input);
      if (index % 2 === 0) await payer.disburse.payouts.cancel(payout_id);
    }),
  );
  await expectTotalsOfDay(payer);
});

/** A payout as a version without these totals writes it. Returns its id. */
async function addUncounted(
  { subaccountId, payee }: ThresholdPayer,
  amount: number,
): Promise<string> {
  const [id, atMs] = [newId(), Date.now()];
  const row: PayoutToInsert = {
    subaccount_id: subaccountId,
    id,
    batch_id: undefined,
    ...payee,
    account_version: 1,
    amount: String(amount),
    currency: "AUD",
    reference: id,
    note: "",
    stage: "queued",
    rail: "live-bank",
    created_by: "service",
    created_at_ms: atMs,
    due_at_ms: atMs + 86_400_000,
    event_id: newId(),
    event_body: "{}",
    send_on: "",
    statement_reference: "",
    purpose: "",
    process_date: "",
    expected_arrival: "",
    transfer_id: newId(),
  };
  const totals = { day: dayOf(atMs), counts: undefined, dayTotals: [] };
  await service.db.transaction((tx) => insertPayouts(tx, [row], totals));
  return id;
}

test("payouts that were accepted uncounted, by the version before or without a threshold, count as well", async () => {
  const payer = await newPayer({ mode: "live" });
  expect(await payer.pay(50_000)).toBe("queued");
  const uncounted = await addUncounted(payer, 40_000);
  expect(await payer.pay(10_001)).toBe("awaiting_approval");
  await payer.disburse.payouts.cancel(uncounted);
  await expectTotalsOfDay(payer);
  expect(await payer.pay(39_999)).toBe("queued");

  const unlimited = await newPayer();
  expect(await unlimited.pay(80)).toBe("queued");
  await admin.put(unlimited.limits, {
    currency: "AUD",
    ...none,
    receiver_day_approval_above: 100,
    account_day_approval_above: null,
  });
  expect(await unlimited.pay(21)).toBe("awaiting_approval");
});

test("a new day starts at zero, and the totals of past days are deleted", async () => {
  const payer = await newPayer({ mode: "live" });
  const { subaccountId } = payer;
  // By its id it is of today, but it was counted on the day before.
  await addUncounted(payer, 100_000);
  await service.db.pool.query(
    `with past as (update ledger_balance set day = '2026-01-01' where subaccount_id = $1)
     insert into payout_day_total (subaccount_id, currency, day, subject, total, generation)
     values ($1, 'AUD', '2026-01-01', '', 100000, 0)`,
    [subaccountId],
  );
  expect(await payer.pay(100_000)).toBe("queued");
  await deletePastDayTotals(service.db, Date.now());
  const { rows } = await service.db.pool.query(
    "select distinct day from payout_day_total where subaccount_id = $1",
    [subaccountId],
  );
  expect(rows).toEqual([{ day: dayOf(Date.now()) }]);
});

test("in a live subaccount, payouts to changed bank details wait until one is paid", async () => {
  const payer = await newPayer({ mode: "live" });
  const { account_id } = payer.payee;
  expect(await payer.pay(100)).toBe("queued");
  const bank = { bsb: "062000", account_number: "12345998" };
  await payer.disburse.receiverAccounts.update(account_id, bank);
  expect(await payer.pay(101)).toBe("awaiting_approval");
  expect(await payer.pay(102)).toBe("awaiting_approval");
  await service.db.pool.query(
    `update payout set status = 'successful', stage = 'settled' where account_id = $1 and account_version = 2`,
    [account_id],
  );
  expect(await payer.pay(103)).toBe("queued");
  // A new name for the account does not change its bank details.
  await payer.disburse.receiverAccounts.update(account_id, { aka: "Ada L" });
  expect(await payer.pay(104)).toBe("queued");
});

test("in a live subaccount, payouts to a new account wait until one is paid, if a user or a key that one has seen added it", async () => {
  const payer = await newPayer({ mode: "live" });
  const { key, subaccountId } = payer;
  const base = `/s/${subaccountId}`;
  const [seer, other] = [service.enter("operator"), service.enter("operator")];
  await Promise.all([seer.ready, other.ready]);
  const decide = (person: TestPerson, id: string) => person.post(`${base}/payouts/${id}/approve`);
  const make = async (to: typeof payer.payee) =>
    (await payer.disburse.payouts.create(payer.input(7, to))).payout_id;
  const reasonsOf = async (id: string) => {
    const { json } = await admin.get(`/approvals?kind=payout&subaccount_id=${subaccountId}`);
    return json.rows.find((row: { id: string }) => row.id === id)?.payout.reasons;
  };
  expect(await payer.stageOf(await make(payer.payee))).toBe("queued");

  await service.db.pool.query("insert into api_secret_seen (key, who) values ($1, $2)", [
    key,
    seer.who,
  ]);
  const payee = await payer.newPayee();
  const first = await make(payee);
  expect(await reasonsOf(first)).toEqual([{ rule: "new_account", above: null }]);
  const preview = await other.post(`${base}/payouts/preview`, payer.input(7, payee));
  expect(preview.json.approval).toEqual([{ rule: "new_account", above: null }]);
  expect(codeOf(await decide(seer, first))).toEqual([403, "CONS407"]);
  expect((await decide(other, first)).status).toBe(200);
  await service.db.pool.query(
    "update payout set status = 'successful', stage = 'settled' where id = $1",
    [first],
  );
  expect(await payer.stageOf(await make(payee))).toBe("queued");

  await service.db.pool.query("update console_user set disabled_at = now() where id = $1", [
    seer.person.id,
  ]);
  expect(await payer.stageOf(await make(await payer.newPayee()))).toBe("queued");
  // Until another admin confirms, the disabled user may be the admin who granted the access, or the user who got it.
  for (const [to, by] of [
    [seer, admin],
    [other, seer],
  ] as const) {
    const grant = "insert into user_vouch (user_id, voucher, at_ms) values ($1, $2, 1)";
    await service.db.pool.query(grant, [to.person.id, by.who]);
    const ofPuppet = await make(await payer.newPayee());
    expect(await reasonsOf(ofPuppet)).toEqual([{ rule: "new_account", above: null }]);
    const confirm = "update user_vouch set confirmed_at_ms = 2 where user_id = $1";
    await service.db.pool.query(confirm, [to.person.id]);
    expect(await payer.stageOf(await make(await payer.newPayee()))).toBe("queued");
  }

  const maker = service.enter("operator");
  const { receiver_id } = payee;
  const bank = { account_type: "I", bsb: "062000", account_number: newAccountNumber() };
  const proposed = await maker.post(`${base}/accounts`, { receiver_id, ...bank });
  expect(proposed.status).toBe(200);
  const applied = await other.post(`${base}/bank-changes/${proposed.json.change_id}/approve`);
  const byUser = await make({ receiver_id, account_id: applied.json.account_id });
  expect(await reasonsOf(byUser)).toEqual([{ rule: "new_account", above: null }]);
  expect(codeOf(await decide(maker, byUser))).toEqual([403, "CONS402"]);
  expect((await decide(other, byUser)).status).toBe(200);
});
