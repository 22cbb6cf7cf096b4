// What rules do: hold, ask a second user or several, refuse. An open screening hit holds without any rule.

import { afterAll, expect, test } from "vitest";
import { newId } from "../../../src/platform/base/ids.ts";
import { contradictions } from "../../scenarios/payouts-books.ts";
import { closeAfterTests, expectBalancedLedger } from "../../support/close-after-tests.ts";
import { startConsole, type TestPerson } from "../../support/console.ts";
import { codeOf, newRuledPayer, openHit, slowBankMs } from "../../support/ruled-payers.ts";

const service = await closeAfterTests(
  startConsole({ bankDelayMs: slowBankMs }),
  expectBalancedLedger,
);
const admin = service.enter("admin");
const operator = service.enter("operator");
const checker = service.enter("approver");
const third = service.enter("approver");
await Promise.all([admin, operator, checker, third].map(({ ready }) => ready));
afterAll(async () => {
  expect(await contradictions(service.db)).toEqual([]);
});
const newPayer = () => newRuledPayer(service);
const hour = { of: "receiver", window: "hour" } as const;

test("CONS604: an open hit holds every payout, without any rule, until it is decided", async () => {
  const payer = await newPayer();
  await payer.rules();
  const [{ receiver_id }, other] = payer.payees;
  const hit = await openHit(service, payer, receiver_id);
  const id = await payer.pay(100);
  expect(await payer.stageOf(id)).toBe("on_hold");
  expect((await payer.holds(id))[0]?.reasons).toEqual([{ kind: "screening" }]);
  expect(await payer.stage(100, other)).toBe("queued");
  expect(await codeOf(payer.release(id))).toBe("CONS604");
  await hit.decide("same");
  expect(await codeOf(payer.release(id))).toBe("CONS604");
  await hit.decide("different");
  expect((await payer.release(id)).stage).toBe("queued");
  expect(await payer.stage(100)).toBe("queued");
});

test("a rule about a screening review can ask for more than the hold", async () => {
  const payer = await newPayer();
  await payer.rules({ when: { fact: "screening_review" }, act: { act: "second_person" } });
  const hit = await openHit(service, payer, payer.payees[0].receiver_id);
  const id = await payer.pay(100);
  expect(await payer.stageOf(id)).toBe("on_hold");
  await hit.decide("different");
  expect((await payer.release(id)).stage).toBe("awaiting_approval");
});

test("PAYO235: a rule refuses, and does not say which one", async () => {
  const payer = await newPayer();
  await payer.rules({ when: { fact: "sum", ...hour, above: 100 }, act: { act: "refuse" } });
  expect(await payer.stage(100)).toBe("queued");
  const error = await payer.disburse.payouts.create(payer.request(1)).catch((thrown) => thrown);
  expect(error).toMatchObject({
    code: "PAYO235",
    errors: [{ message: "Payout is not accepted", field: "account_id" }],
  });
  // A refused payout is not counted.
  expect(await codeOf(payer.pay(1))).toBe("PAYO235");
  expect(await payer.stage(100, payer.payees[1])).toBe("queued");
  const validated = await payer.disburse.payouts.validate(payer.request(1));
  expect(validated).toMatchObject({ accepted: false, problems: [{ code: "PAYO235" }] });
});

test("a second user approves a payout that a rule asks for; its creator can't", async () => {
  const payer = await newPayer();
  await payer.rules({ when: { fact: "first_payout" }, act: { act: "second_person" } });
  const id = await payer.pay(100);
  expect(await payer.stageOf(id)).toBe("awaiting_approval");
  expect((await payer.approve(id, operator)).json).toMatchObject({ stage: "queued" });
});

test("CONS410, CONS411: n users of a role approve, each once", async () => {
  const payer = await newPayer();
  await payer.rules({
    when: { fact: "first_payout" },
    act: { act: "approvals", count: 2, role: "approver" },
  });
  const id = await payer.pay(100);
  const codes = async (by: TestPerson) => (await payer.approve(id, by)).json;
  expect(await codes(admin)).toMatchObject({ error: [{ code: "CONS411" }] });
  expect(await codes(checker)).toMatchObject({ stage: "awaiting_approval" });
  expect(await codes(checker)).toMatchObject({ error: [{ code: "CONS410" }] });
  expect(await payer.stageOf(id)).toBe("awaiting_approval");
  expect(await codes(third)).toMatchObject({ stage: "queued" });
  const detail = await admin.get(`/s/${payer.subaccountId}/payouts/${id}`);
  const titles = detail.json.timeline.map(({ title }: { title: string }) => title);
  expect(titles).toContain("Rule: A rule");
  expect(titles).toContain("Approved; more approvals are needed");
});

test("an approval ends with the access of its user, and with the role that it was for", async () => {
  const payer = await newPayer();
  await payer.rules({
    when: { fact: "first_payout" },
    act: { act: "approvals", count: 2, role: "approver" },
  });
  const [disabled, demoted] = [service.enter("approver"), service.enter("approver")];
  const id = await payer.pay(100);
  expect((await payer.approve(id, disabled)).json).toMatchObject({ stage: "awaiting_approval" });
  const { pool } = service.db;
  await pool.query("update console_user set disabled_at = now() where id = $1", [
    disabled.person.id,
  ]);
  expect((await payer.approve(id, demoted)).json).toMatchObject({ stage: "awaiting_approval" });
  await pool.query("update console_user set role = 'finance' where id = $1", [demoted.person.id]);
  expect((await payer.approve(id, checker)).json).toMatchObject({ stage: "awaiting_approval" });
  expect((await payer.approve(id, third)).json).toMatchObject({ stage: "queued" });
});

test("the same user at the same time counts once", async () => {
  const payer = await newPayer();
  await payer.rules({
    when: { fact: "first_payout" },
    act: { act: "approvals", count: 2, role: "" },
  });
  const id = await payer.pay(100);
  const answers = await Promise.all([1, 2, 3].map(() => payer.approve(id, checker)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  expect(await payer.stageOf(id)).toBe("awaiting_approval");
});

test("a payout on hold that needs approval waits for it after the release", async () => {
  const payer = await newPayer();
  await payer.rules(
    { when: { fact: "first_payout" } },
    { when: { fact: "count", ...hour, above: 0 }, act: { act: "approvals", count: 2, role: "" } },
  );
  const id = await payer.pay(100);
  expect((await payer.release(id, checker)).stage).toBe("awaiting_approval");
  expect((await payer.approve(id, checker)).json).toMatchObject({ stage: "awaiting_approval" });
  expect((await payer.approve(id, third)).json).toMatchObject({ stage: "queued" });
});

test("a dry run says that a payout would be held or needs approval, and writes nothing", async () => {
  const payer = await newPayer();
  await payer.rules(
    { when: { fact: "sum", ...hour, above: 100 } },
    { when: { fact: "sum", ...hour, above: 200 }, act: { act: "second_person" } },
  );
  const validate = (amount: number) => payer.disburse.payouts.validate(payer.request(amount));
  expect(await validate(100)).toMatchObject({ needs_review: false, needs_approval: false });
  expect(await validate(101)).toMatchObject({ needs_review: true, needs_approval: false });
  const both = await validate(201);
  expect(both).toMatchObject({ needs_review: true, needs_approval: true, approval_rules: [] });
  expect(JSON.stringify(both)).not.toContain("rule-");
  const { rows } = await service.db.pool.query(
    "select count(*)::int as count from payout_count where subaccount_id = $1",
    [payer.subaccountId],
  );
  expect(rows).toEqual([{ count: 0 }]);
});

test("rules of another subaccount, mode or currency don't apply", async () => {
  const payer = await newPayer();
  const when = { fact: "count", ...hour, above: 0 } as const;
  await payer.rules(
    { when, subaccount_ids: [newId()] },
    { when, mode: "live" },
    { when, currency: "NZD" },
  );
  expect(await payer.stage(100)).toBe("queued");
  await payer.rules({ when, mode: "test", subaccount_ids: [], currency: "" });
  expect(await payer.stage(100)).toBe("on_hold");
  await payer.rules();
});

test("payoutOnHold follows payoutCreated for a payout that is created on hold", async () => {
  const payer = await newPayer();
  await payer.rules({ when: { fact: "first_payout" } });
  await payer.disburse.subaccount.update({ event_types: ["payoutOnHold"] });
  const id = await payer.pay(100);
  const { rows } = await service.db.pool.query(
    "select type from event where subaccount_id = $1 and order_key = $2 order by number",
    [payer.subaccountId, id],
  );
  expect(rows.map(({ type }) => type)).toEqual(["payoutCreated", "payoutOnHold"]);
});

test("64 connections race for one counter: never one over", async () => {
  const payer = await newPayer();
  await payer.rules({ when: { fact: "count", ...hour, above: 20 }, act: { act: "refuse" } });
  const codes = await Promise.all(Array.from({ length: 64 }, () => codeOf(payer.pay(1))));
  expect(codes.filter((code) => code === undefined)).toHaveLength(20);
  expect(codes.filter((code) => code === "PAYO235")).toHaveLength(44);
});
