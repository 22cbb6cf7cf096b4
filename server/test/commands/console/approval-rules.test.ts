// Maker and checker of payouts: a payout above the threshold waits, and one other user decides, once.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { createPayouts, toPayoutCreation } from "../../../src/money/payouts/create.ts";
import { railDirectory } from "../../../src/money/rails/directory.ts";
import { sandboxRail } from "../../../src/money/rails/sandbox.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { verifyAudit } from "../../../src/tenants/audit/verify.ts";
import { contradictions } from "../../scenarios/payouts-books.ts";
import { meAs } from "../../support/cli-operator.ts";
import { closeAfterTests, expectBalancedLedger } from "../../support/close-after-tests.ts";
import { command } from "../../support/commands.ts";
import { startConsole } from "../../support/console.ts";
import { closeSubaccount } from "../../support/keys.ts";
import { newPayee } from "../../support/payers.ts";
import { ada, settingsOf, type TestCaller } from "../../support/service.ts";

const service = await closeAfterTests(startConsole({ bankDelayMs: 20 }), expectBalancedLedger);
const admin = service.enter("admin");
const maker = service.enter("operator");
const checker = service.enter("operator");
afterAll(async () => {
  expect(await contradictions(service.db)).toEqual([]);
  expect((await verifyAudit(service)).fault).toBeUndefined();
});

type Payer = Awaited<ReturnType<typeof newPayer>>;

/** A subaccount with money and a receiver to pay, in which payouts above 100.00 AUD wait. */
async function newPayer(approvalAbove: number | null = 10_000) {
  const caller = await service.newCaller();
  const { disburse, subaccountId } = caller;
  const { receiver_id, account_id } = await newPayee(disburse);
  await disburse.testHelpers.fund({ amount: 1_000_000, currency: "AUD", reference: newId() });
  const limits = { currency: "AUD", per_payout_max: null, per_day_max: null };
  const set = await admin.put(`/s/${subaccountId}/limits`, {
    ...limits,
    approval_above: approvalAbove,
  });
  expect(set.status).toBe(200);
  const to = { receiver_id, account_id, currency: "AUD" };
  return {
    ...caller,
    to,
    path: `/s/${subaccountId}/payouts`,
    /** Through the API, with a key. */
    pay: async (amount: number) =>
      (await disburse.payouts.create({ ...to, amount, reference: newId() })).payout_id,
    /** As a user does. */
    payAs: async ({ who }: { who: string }, amount: number) => {
      const input = {
        receiverId: receiver_id,
        accountId: account_id,
        amount: BigInt(amount),
        currency: "AUD",
        reference: newId(),
        note: "",
        allowDuplicate: false,
        sendOn: "",
        statementReference: "",
        purpose: "",
      };
      const asCaller = { subaccountId, mode: "test", key: "", who, requestId: newId() } as const;
      const creation = toPayoutCreation({ ...asCaller, nonce: undefined }, input);
      const rails = railDirectory([{ mode: "test", rail: sandboxRail({ delayMs: 20 }) }]);
      await createPayouts({ db: service.db, rails }, [creation]);
      return creation.id;
    },
  };
}

const stageOf = async ({ disburse }: Pick<TestCaller, "disburse">, id: string) =>
  (await disburse.payouts.get(id)).stage;

async function heldBy(payer: Payer): Promise<number> {
  const [balance] = await payer.disburse.balance.get();
  return balance?.held ?? 0;
}

test("a payout above the threshold waits, one equal to it does not; once approved, it is paid", async () => {
  const payer = await newPayer();
  const small = await payer.pay(10_000);
  const large = await payer.pay(10_001);
  await expect.poll(() => stageOf(payer, small)).toBe("settled");
  expect(await payer.disburse.payouts.get(large)).toMatchObject({
    status: "pending",
    stage: "awaiting_approval",
  });
  expect(await heldBy(payer)).toBe(10_001);

  const { status, json } = await checker.post(`${payer.path}/${large}/approve`);
  expect([status, json]).toEqual([200, { payout_id: large, status: "pending", stage: "queued" }]);
  await expect.poll(() => stageOf(payer, large)).toBe("settled");
  const history = await service.db.pool.query(
    "select who, from_stage, to_stage from payout_history where payout_id = $1 order by id",
    [large],
  );
  expect(history.rows).toEqual([
    { who: checker.who, from_stage: "awaiting_approval", to_stage: "queued" },
    { who: "rail:sandbox", from_stage: "queued", to_stage: "submitted" },
    { who: "rail:sandbox", from_stage: "submitted", to_stage: "settled" },
  ]);
  // Callers see that an operator approved it, but not who.
  const seen = await payer.disburse.payouts.history(large);
  expect(seen.map(({ who }) => who)).toContain("operator");
  const { rows } = await service.db.pool.query(
    "select type from event where order_key = $1 order by number",
    [large],
  );
  expect(rows.map(({ type }) => type)).toEqual(["payoutCreated", "payoutUpdate"]);
  const [entry] = (await admin.get(`/audit?object_id=${large}`)).json.rows;
  expect(entry).toMatchObject({
    who: checker.who,
    action: "payout.approve",
    subaccount_id: payer.subaccountId,
    after: { amount: 10_001, currency: "AUD", made_by: `key:${payer.key}` },
  });
});

test("with a threshold of zero every payout waits, and without a threshold none does", async () => {
  const strict = await newPayer(0);
  expect(await stageOf(strict, await strict.pay(1))).toBe("awaiting_approval");
  const free = await newPayer(null);
  expect(await stageOf(free, await free.pay(900_000))).not.toBe("awaiting_approval");
});

test("CONS402: the user who made a payout can't approve it, but can decline it", async () => {
  const payer = await newPayer();
  const id = await payer.payAs(maker, 20_000);
  const own = await maker.post(`${payer.path}/${id}/approve`);
  expect([own.status, own.json.error[0].code]).toEqual([403, "CONS402"]);
  expect(await stageOf(payer, id)).toBe("awaiting_approval");
  const { json } = await maker.get(`/approvals?subaccount_id=${payer.subaccountId}`);
  expect(json.rows).toMatchObject([{ id, is_own: true, made_by: maker.who }]);

  const taken = await maker.post(`${payer.path}/${id}/decline`, { reason: "wrong amount" });
  expect(taken.json).toEqual({ payout_id: id, status: "failed", stage: "cancelled" });
  expect(await payer.disburse.payouts.get(id)).toMatchObject({ cause: "declined: wrong amount" });
  expect(await heldBy(payer)).toBe(0);
  const late = await checker.post(`${payer.path}/${id}/approve`);
  expect([late.status, late.json.error[0].code]).toEqual([409, "CONS401"]);
});

test("of many approvals at once, one succeeds; of an approval and a decline at once, one succeeds", async () => {
  const payer = await newPayer();
  const one = await payer.pay(20_000);
  const users = Array.from({ length: 6 }, () => service.enter("operator"));
  const answers = await Promise.all(users.map((who) => who.post(`${payer.path}/${one}/approve`)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  const { rows } = await service.db.pool.query(
    "select count(*)::int from payout_history where payout_id = $1 and to_stage = 'queued'",
    [one],
  );
  expect(rows[0].count).toBe(1);

  const raced = await Promise.all(Array.from({ length: 8 }, () => payer.pay(15_000)));
  await Promise.all(
    raced.map(async (id, index) => {
      const approval = () => checker.post(`${payer.path}/${id}/approve`);
      const refusal = () =>
        index % 2 === 0
          ? payer.call("POST", `/api/payout/${id}/cancel`)
          : maker.post(`${payer.path}/${id}/decline`, { reason: "no" });
      const [approved, refused] = await Promise.all([approval(), refusal()]);
      // The caller can still cancel an approved payout until it is sent.
      if (index % 2 === 1) expect([approved.status, refused.status].sort()).toEqual([200, 409]);
      else expect([approved.status, refused.status]).toContain(200);
    }),
  );
});

test("payouts from a batch, a file and the command line wait too", async () => {
  const payer = await newPayer();
  const { subaccountId, to } = payer;
  const { payouts } = await payer.disburse.payouts.createBatch([
    { ...to, amount: 10_001, reference: "b1" },
    { ...to, amount: 10_000, reference: "b2" },
  ]);
  const [large, small] = payouts;
  expect(await stageOf(payer, large?.payout_id ?? "")).toBe("awaiting_approval");
  expect(await stageOf(payer, small?.payout_id ?? "")).not.toBe("awaiting_approval");

  const environment = settingsOf(service);
  const run = (...words: string[]) =>
    command([...words, "--subaccount", subaccountId, "--by", "ada", "--json"], environment);
  const folder = mkdtempSync(join(tmpdir(), "disburse-approvals-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "payouts.csv");
  const line = [to.receiver_id, to.account_id, "200.00", "AUD", "f1"].join();
  writeFileSync(file, `receiver_id,account_id,amount,currency,reference\n${line}\n`);
  expect((await run("payouts", "import", file, "--yes")).code).toBe(0);
  const words = ["--receiver", to.receiver_id, "--account", to.account_id, "--currency", "AUD"];
  const made = await run("payouts", "create", ...words, "--amount", "300", "--reference", "c1");
  expect(made.code).toBe(0);
  // Callers see that a user did it, not who.
  const { payout_id } = JSON.parse(made.stdout);
  expect(await payer.disburse.payouts.history(payout_id)).toMatchObject([{ who: "operator" }]);
  const { receiver_id } = await payer.disburse.receivers.create(ada());
  const reason = ["--reason", "passport seen"];
  expect((await run("receivers", "kyc", "approve", receiver_id, ...reason)).code).toBe(0);
  expect(await payer.disburse.receivers.history(receiver_id).toArray()).toContainEqual(
    expect.objectContaining({ who: "operator", reason: "passport seen" }),
  );

  // In test mode, bank details from the command line apply at once.
  const bank = ["--account-type", "I", "--bsb", "062000", "--account-number", "12345999"];
  const account = await run("accounts", "create", "--receiver", to.receiver_id, ...bank);
  expect(JSON.parse(account.stdout)).toMatchObject({ status: "active" });

  const { json } = await checker.get(`/approvals?subaccount_id=${subaccountId}&limit=2`);
  expect(json.rows).toMatchObject([
    {
      kind: "batch",
      made_by: `key:${payer.key}`,
      is_own: false,
      sums: { totals: [{ payouts: 1, amount: 10_001 }] },
    },
    { kind: "batch", made_by: meAs("ada"), sums: { totals: [{ payouts: 1, amount: 20_000 }] } },
  ]);
  const rest = await checker.get(
    `/approvals?subaccount_id=${subaccountId}&limit=2&cursor=${json.next}`,
  );
  expect(rest.json).toMatchObject({
    rows: [
      {
        receiver_name: "Ada Lovelace",
        account_number: "•••• 5999",
        payout: { amount: 30_000, reference: "c1" },
      },
    ],
    next: null,
  });

  await run("ledger", "limit", "--currency", "AUD", "--approval-above", "400");
  const after = (await admin.get(`/s/${subaccountId}/limits`)).json;
  expect(after.rows).toMatchObject([
    { currency: "AUD", per_payout_max: null, per_day_max: null, approval_above: 40_000 },
  ]);
  const [set] = (await admin.get(`/audit?action=limits.set&limit=1`)).json.rows;
  expect(set).toMatchObject({
    who: meAs("ada"),
    before: { approval_above: 10_000 },
    after: { approval_above: 40_000 },
  });
});

test("many payouts are approved with one request, with a result for each", async () => {
  const [one, other] = [await newPayer(), await newPayer()];
  const item = (payer: Payer, payout_id: string) => ({
    subaccount_id: payer.subaccountId,
    payout_id,
  });
  const own = await one.payAs(checker, 20_000);
  const items = [
    item(one, await one.pay(20_000)),
    item(other, await other.pay(30_000)),
    item(one, own),
    // It is not found under another subaccount.
    item(other, own),
  ];
  const before = (await checker.get("/approvals/count")).json;
  const { status, json } = await checker.post("/approvals/payouts/approve", { items });
  expect(status).toBe(200);
  const codes = json.results.map(({ outcome, code }: Record<string, string>) => code ?? outcome);
  expect(codes).toEqual(["approved", "approved", "CONS402", "PAYO101"]);
  expect((await checker.get("/approvals/count")).json).toEqual({
    count: before.count - 2,
    is_capped: false,
  });
});

test("in a closed subaccount no payout can be approved, but waiting payouts can be declined", async () => {
  const payer = await newPayer();
  const [one, other] = [await payer.pay(20_000), await payer.pay(20_001)];
  const { subaccountId: subaccount_id, path } = payer;
  await closeSubaccount(service.db, subaccount_id);
  const alone = await checker.post(`${path}/${one}/approve`);
  expect([alone.status, alone.json.error[0].code]).toEqual([409, "CONS701"]);
  const items = [{ subaccount_id, payout_id: other }];
  const many = await checker.post("/approvals/payouts/approve", { items });
  expect(many.json.results).toMatchObject([{ outcome: "refused", code: "CONS701" }]);
  const declined = await checker.post(`${path}/${one}/decline`, { reason: "closed" });
  expect(declined.json.stage).toBe("cancelled");
});

test("an approved payout to a receiver who can't be paid any more is rejected", async () => {
  const payer = await newPayer();
  const id = await payer.pay(20_000);
  await service.db.pool.query("update receiver set kyc_status = 'failed' where id = $1", [
    payer.to.receiver_id,
  ]);
  expect((await checker.post(`${payer.path}/${id}/approve`)).status).toBe(200);
  await expect.poll(() => stageOf(payer, id)).toBe("rejected");
});

test("a payout is not approved under another subaccount, and wrong limits name their fields", async () => {
  const payer = await newPayer();
  const id = await payer.pay(20_000);
  const codeOf = async (answer: Promise<{ json: { error: { code: string }[] } }>) =>
    (await answer).json.error[0]?.code;
  const { subaccountId } = await service.newCaller();
  expect(await codeOf(checker.post(`/s/${subaccountId}/payouts/${id}/approve`))).toBe("PAYO101");
  const limits = { currency: "AUD", per_payout_max: 1, per_day_max: 1, approval_above: null };
  const wrong = { ...limits, approval_above: -1, currency: "XXX" };
  const { json } = await admin.put(`/s/${payer.subaccountId}/limits`, wrong);
  expect(json.error.map(({ field }: { field: string }) => field)).toEqual([
    ...["currency", "approval_above"],
  ]);
  expect(await stageOf(payer, id)).toBe("awaiting_approval");
});
