// Routes of the Rules screen: who may read, propose and approve, and what a backtest answers.

import { expect, test } from "vitest";
import { backtestLines } from "../../../src/doors/console/rules/backtest-lines.ts";
import type { BacktestLine } from "../../../src/doors/console/rules/schema.ts";
import type { Rule } from "../../../src/money/rules/rule.ts";
import { Refusal } from "../../../src/platform/refusals/refusals.ts";
import { startBankConsole } from "../../support/bank-console.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import type { TestPerson } from "../../support/console.ts";
import { type Answer, outcomeOf } from "../../support/service.ts";

const service = await closeAfterTests(startBankConsole());

const daily = (subaccountId: string, above = 500_000): Rule => ({
  ...{ id: "daily", name: "Daily sum", mode: "", subaccount_ids: [subaccountId], currency: "AUD" },
  when: { fact: "sum", of: "receiver", window: "day", above },
  // biome-ignore lint/suspicious/noThenProperty: a rule reads "when … then …", and is never awaited.
  then: { act: "hold" },
});

const versionInForce = async (reader: TestPerson): Promise<number | null> =>
  (await reader.get("/rules")).json.active?.version ?? null;

async function propose(maker: TestPerson, rules: readonly Rule[]): Promise<number> {
  const base_version = await versionInForce(maker);
  const { json } = await maker.post("/rules/versions", { rules, base_version, note: "because" });
  return json.version;
}

const linesOf = ({ text }: Answer) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as BacktestLine);

test("one user proposes rules, another approves them; both are shown as sentences", async () => {
  const { subaccountId } = await service.newCaller();
  const [operator, approver] = [service.enter("operator"), service.enter("approver")];
  const version = await propose(operator, [daily(subaccountId)]);
  const sentence = "Hold when a receiver gets more than 5,000.00 AUD in a day (of 1 subaccount)";
  const { waiting } = (await approver.get("/rules")).json;
  expect(waiting.find((one: { version: number }) => one.version === version)).toMatchObject({
    ...{ status: "proposed", made_by: operator.who, note: "because", is_own: false },
    ...{ is_outdated: false, why_not: null },
    rules: [{ rule: daily(subaccountId), sentence }],
  });
  const approved = await approver.post(`/rules/versions/${version}/approve`);
  expect(approved.json).toEqual({ version, status: "active" });
  expect(outcomeOf(await approver.post(`/rules/versions/${version}/approve`))).toBe("409 RULE302");
  const next = await propose(operator, [daily(subaccountId, 700_000)]);
  const { rows } = (await service.enter("auditor").get("/rules/versions")).json;
  expect(rows[0]).toMatchObject({
    version: next,
    changes: [
      {
        kind: "changed",
        before: `Daily sum: ${sentence}`,
        after: `Daily sum: ${sentence.replace("5,000", "7,000")}`,
      },
    ],
  });
  expect(rows[1]).toMatchObject({ version, status: "active", decided_by: approver.who });
  // Its creator withdraws it, a reader can't decline it.
  const decline = (by: TestPerson) =>
    by.post(`/rules/versions/${next}/decline`, { reason: "a mistake" });
  expect(outcomeOf(await decline(service.enter("finance")))).toBe("403 CONS102");
  expect((await decline(operator)).json).toEqual({ version: next, status: "declined" });
  const audit = await service.enter("auditor").get("/audit");
  const actions = audit.json.rows.map(({ action }: { action: string }) => action);
  expect(actions).toEqual(
    expect.arrayContaining(["rules.propose", "rules.approve", "rules.decline"]),
  );
});

test("a user can't approve their own proposal, and an outdated one is refused", async () => {
  const { subaccountId } = await service.newCaller();
  const [one, two] = [service.enter("admin"), service.enter("admin")];
  const first = await propose(one, [daily(subaccountId)]);
  const second = await propose(two, [daily(subaccountId, 1)]);
  expect(outcomeOf(await one.post(`/rules/versions/${first}/approve`))).toBe("403 CONS402");
  expect((await two.post(`/rules/versions/${first}/approve`)).status).toBe(200);
  expect(outcomeOf(await one.post(`/rules/versions/${second}/approve`))).toBe("409 RULE303");
  const outdated = (await one.get("/rules")).json.waiting.find(
    ({ version }: { version: number }) => version === second,
  );
  expect(outdated.is_outdated).toBe(true);
  await one.post(`/rules/versions/${second}/decline`, { reason: "outdated" });
  const stale = { rules: [], base_version: second, note: "stale" };
  expect(outcomeOf(await one.post("/rules/versions", stale))).toBe("409 RULE303");
  expect(outcomeOf(await one.post("/rules/versions/999999/approve"))).toBe("404 RULE301");
});

test("a rule that is not valid is named by its field", async () => {
  const operator = service.enter("operator");
  const { subaccountId } = await service.newCaller();
  const rules = [{ ...daily(subaccountId), currency: "" }];
  const { json } = await operator.post("/rules/check", { rules });
  expect(json.error[0]).toMatchObject({ code: "RULE201", field: "rules[0].currency" });
  expect(outcomeOf(await operator.post("/rules/backtest", { rules }))).toBe("400 RULE201");
});

test("a backtest answers with progress and then the figures of the last 90 days", async () => {
  const payer = await service.newPayer("test");
  await payer.pay(400_000, "A");
  const { payout_id } = await payer.pay(300_000, "B");
  const answer = await service
    .enter("auditor")
    .post("/rules/backtest", { rules: [daily(payer.subaccountId)] });
  const lines = linesOf(answer);
  expect(lines.at(-2)).toMatchObject({ kind: "progress", done: 1 });
  const last = lines.at(-1);
  const modes = last?.kind === "result" ? last.result.modes : [];
  const result = modes.find(({ mode }) => mode === "test");
  expect(result?.rules.find(({ rule_id }) => rule_id === "daily")).toMatchObject({
    ...{ count: 1, sums: [{ currency: "AUD", amount: 300_000 }] },
  });
  expect(result?.list.filter(({ subaccount_id }) => subaccount_id === payer.subaccountId)).toEqual([
    expect.objectContaining({
      payout_id,
      act: "hold",
      rules: [
        expect.objectContaining({
          text: "receiver: 7,000.00 AUD within a day, above 5,000.00 AUD",
        }),
      ],
    }),
  ]);
});

test("one backtest runs at a time, and one that is left ends", async () => {
  const payer = await service.newPayer("test");
  await payer.pay(1_000, "C");
  const parts = { db: service.db, clock: Date.now, isDraining: () => false };
  const access = { stillMay: async () => true };
  const lines = await backtestLines(parts, access, []);
  expect((await lines.next()).value).toMatchObject({ kind: "progress" });
  const refused = await backtestLines(parts, access, []).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Refusal);
  expect((refused as Refusal).problems[0].code).toBe("RULE304");
  await lines.return(undefined);
  const again = await backtestLines(parts, access, []);
  await again.return(undefined);
  const stopped = await backtestLines({ ...parts, isDraining: () => true }, access, []);
  expect((await stopped.next()).value).toEqual({ kind: "stopped" });
  await stopped.return(undefined);
});
