// Thresholds by payout, batch, receiver and day, and bank account and day: which payouts wait, who may loosen the limits, and retries.

import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { newId } from "../../src/ids.ts";
import { deletePastDayTotals } from "../../src/payouts/day-total-queries.ts";
import { dayOf, defaultThresholds } from "../../src/payouts/payout.ts";
import { insertPayouts, type PayoutToInsert } from "../../src/payouts/queries.ts";
import { railDirectory } from "../../src/rails/directory.ts";
import { sandboxRail } from "../../src/rails/sandbox.ts";
import { command } from "../support/commands.ts";
import { type ConsoleService, startConsole, type TestPerson } from "../support/console.ts";
import { type Answer, ada, masterKey } from "../support/service.ts";

let service: ConsoleService;
let admin: TestPerson;
/** The service's clock is ahead by this much. */
let aheadMs = 0;
beforeAll(async () => {
  const live = { ...sandboxRail({ delayMs: 86_400_000 }), id: "live-bank" };
  const rails = railDirectory([
    { mode: "test", rail: sandboxRail({ delayMs: 86_400_000 }) },
    { mode: "live", rail: live },
  ]);
  service = await startConsole({ rails, clock: () => Date.now() + aheadMs });
  admin = service.enter("admin");
});
afterAll(() => service.close());

const codeOf = ({ status, json }: Answer) => [status, json?.error?.[0]?.code];
const none = { per_payout_max: null, per_day_max: null, approval_above: null };
let numbers = 12_000_000;

async function newPayer({ mode = "test" }: { mode?: "test" | "live" } = {}) {
  const caller = await service.newCaller({ mode, version2Only: false });
  const { disburse, subaccountId } = caller;
  const newPayee = async (account_number = String(++numbers)) => {
    const { receiver_id } = await disburse.receivers.create(ada());
    await service.db.pool.query(
      "update receiver set status = 'active', kyc_status = 'completed' where id = $1",
      [receiver_id],
    );
    const bank = { account_type: "I" as const, bsb: "062000", account_number };
    const { account_id } = await disburse.receiverAccounts.create({ receiver_id, ...bank });
    return { receiver_id, account_id };
  };
  await service.db.pool.query(
    `insert into ledger_balance (subaccount_id, currency, available, bank)
     select $1, unnest($2::text[]), 1000000000, 1000000000`,
    [subaccountId, ["AUD", "JPY"]],
  );
  const payee = await newPayee();
  const input = (amount: number, to = payee, currency = "AUD") => ({
    ...to,
    amount,
    currency,
    reference: newId(),
  });
  const stageOf = async (id: string) => (await disburse.payouts.get(id)).stage;
  return {
    ...caller,
    payee,
    newPayee,
    input,
    stageOf,
    limits: `/s/${subaccountId}/limits`,
    pay: async (amount: number, to = payee) =>
      stageOf((await disburse.payouts.create(input(amount, to))).payout_id),
  };
}

test("a live subaccount has a threshold of 1,000 units until another is set; a test subaccount has none", async () => {
  const amounts = (currency: string) => defaultThresholds("live", currency).approvalAbove;
  expect([amounts("AUD"), amounts("JPY"), amounts("KWD")]).toEqual([100_000n, 1_000n, 1_000_000n]);
  const live = await newPayer({ mode: "live" });
  expect(await live.pay(100_000)).toBe("queued");
  expect(await live.pay(100_001, await live.newPayee())).toBe("awaiting_approval");
  expect((await admin.get(live.limits)).json).toEqual({ rows: [], default_units: 1_000 });
  const test = await newPayer();
  expect(await test.pay(100_001)).not.toBe("awaiting_approval");
  expect((await admin.get(test.limits)).json.default_units).toBeNull();
});

test("the approval queue says which rules stopped a payout", async () => {
  const payer = await newPayer({ mode: "live" });
  const { disburse, subaccountId } = payer;
  const reasons = async () => {
    const { json } = await admin.get(`/approvals?kind=payout&subaccount_id=${subaccountId}`);
    return json.rows.map(({ payout }: { payout: { reasons: object[] } }) => payout.reasons);
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
  const inBatch = [{ rule: "batch", above }];
  expect(await reasons()).toEqual([alone, inBatch, inBatch]);
  const changed = await payer.newPayee();
  await disburse.receiverAccounts.update(changed.account_id, { account_number: "87654321" });
  await payer.pay(1_000, changed);
  expect((await reasons()).at(-1)).toEqual([{ rule: "bank_details", above: null }]);
});

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
  { subaccountId, payee }: Awaited<ReturnType<typeof newPayer>>,
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

  const maker = service.enter("operator");
  const { receiver_id } = payee;
  const bank = { account_type: "I", bsb: "062000", account_number: String(++numbers) };
  const proposed = await maker.post(`${base}/accounts`, { receiver_id, ...bank });
  expect(proposed.status).toBe(200);
  const applied = await other.post(`${base}/bank-changes/${proposed.json.change_id}/approve`);
  const byUser = await make({ receiver_id, account_id: applied.json.account_id });
  expect(await reasonsOf(byUser)).toEqual([{ rule: "new_account", above: null }]);
  expect(codeOf(await decide(maker, byUser))).toEqual([403, "CONS402"]);
  expect((await decide(other, byUser)).status).toBe(200);
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
  // It is refused for the same reasons as the creation, and needs the same permission.
  const tooMuch = await operator.post(`${payouts}/preview`, payer.input(1_000_000_001));
  expect(codeOf(tooMuch)).toEqual([409, "PAYO227"]);
  const { subaccountId } = payer;
  const developer = service.enter("developer", { subaccountId });
  const refused = await developer.post(`${payouts}/preview`, payer.input(1));
  expect(codeOf(refused)).toEqual([403, "CONS102"]);
});

test("CONS402: looser limits wait for another admin, however long it takes; stricter ones apply at once", async () => {
  const payer = await newPayer();
  const set = (person: TestPerson, more: object) =>
    person.put(payer.limits, { currency: "AUD", ...none, ...more });
  const strict = await set(admin, { approval_above: 100, receiver_day_approval_above: 500 });
  expect(strict.json).toEqual({ currency: "AUD", awaits_approval: false });
  expect(await payer.pay(101)).toBe("awaiting_approval");

  const loose = await set(admin, { approval_above: 1_000 });
  expect(loose.json).toEqual({ currency: "AUD", awaits_approval: true });
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
    const environment = {
      DATABASE_URL: service.url,
      DISBURSE_MASTER_KEY: masterKey.toString("base64"),
    };
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
