// Bank connections of test subaccounts: they take payouts before the sandbox does, and never mix with live ones.

import { expect, test } from "vitest";
import { answersTo } from "../../../../packages/bank-simulator/src/answers.ts";
import { decideFile } from "../../../../packages/bank-simulator/src/decision.ts";
import { internalSubaccountIds } from "../../../src/banking/answers/suspend.ts";
import { returnSuspense } from "../../../src/banking/answers/suspense.ts";
import { countSuspense } from "../../../src/banking/answers/suspense-queries.ts";
import { readFile } from "../../../src/banking/files/batch-file.ts";
import { findBatch } from "../../../src/banking/files/batch-queries.ts";
import { nearestCutoffMs } from "../../../src/banking/files/send-queries.ts";
import { abaReturns } from "../../support/aba-returns.ts";
import { type BankPayer, newBankPayer } from "../../support/bank-payers.ts";
import { closeAfterTests, expectBalancedLedger } from "../../support/close-after-tests.ts";
import { startBankTest } from "../../support/inbound-setup.ts";
import { newCaller } from "../../support/service.ts";

const bank = await closeAfterTests(startBankTest(), expectBalancedLedger);

const newTestPayer = () => newBankPayer(bank.service, { mode: "test" });

async function pay({ disburse, to }: BankPayer, amount = 500): Promise<string> {
  const { payout_id } = await disburse.payouts.create({ ...to, amount, currency: "AUD" });
  return payout_id;
}

async function railOf({ subaccountId }: BankPayer, payoutId: string): Promise<string> {
  const { rows } = await bank.db.pool.query(
    "select rail from payout where subaccount_id = $1 and id = $2",
    [subaccountId, payoutId],
  );
  return rows[0].rail;
}

test("a connection lists subaccounts of its mode only, and keeps its mode", async () => {
  const { subaccountId: testId } = await newCaller(bank.service);
  const { subaccountId: liveId } = await newCaller(bank.service, { mode: "live" });
  const refusalOf = (subaccountId: string, changes: object) =>
    bank.connect(subaccountId, changes).catch(({ problems }) => problems);
  const refused = (field: string, message: unknown) => [{ code: "BANK201", field, message }];
  expect(await refusalOf(testId, { mode: "test", subaccount_ids: null })).toEqual(
    refused("subaccount_ids", "A test connection has to list its subaccounts"),
  );
  expect(await refusalOf(testId, { mode: "test", subaccount_ids: [testId, liveId] })).toEqual(
    refused("subaccount_ids", expect.stringMatching(/ is in live mode, .* is for test mode$/)),
  );
  expect(await refusalOf(testId, {})).toEqual(
    refused("subaccount_ids", expect.stringMatching(/ is in test mode, .* is for live mode$/)),
  );
  const unknown = "018f0000-0000-7000-8000-000000000000";
  expect(await refusalOf(testId, { mode: "test", subaccount_ids: [unknown] })).toEqual(
    refused("subaccount_ids", `There is no subaccount ${unknown}`),
  );
  expect(await refusalOf(testId, { mode: "sandbox" })).toMatchObject([
    { code: "BANK201", field: "mode" },
  ]);
  expect((await bank.connect(testId, { mode: "test" })).row.mode).toBe("test");
  expect(await refusalOf(testId, { mode: "live", subaccount_ids: null })).toEqual(
    refused("mode", expect.stringContaining("is for test subaccounts")),
  );
  // A change that does not name the mode keeps it.
  expect((await bank.connect(testId, { releasers: 1 })).row.mode).toBe("test");
  await expect(
    bank.db.pool.query("update bank_connection set subaccount_ids = null where mode = 'test'"),
  ).rejects.toMatchObject({ constraint: "bank_connection_test_lists_subaccounts" });
});

test("a test connection pays what it reaches for the subaccounts that it lists, the sandbox the rest", async () => {
  const [payer, other] = [await newTestPayer(), await newTestPayer()];
  const connection = await bank.connect(payer.subaccountId, { mode: "test" });
  expect(await railOf(payer, await pay(payer))).toBe(connection.rail);
  expect(await railOf(other, await pay(other))).toBe("sandbox");
  const route = { mode: "test", subaccountId: payer.subaccountId } as const;
  const railFor = (currency: string, country: string) =>
    bank.rails.railFor({ ...route, currency, country })?.id;
  expect(railFor("AUD", "AUS")).toBe(connection.rail);
  expect(railFor("EUR", "DEU")).toBe("sandbox");
  // A test connection is no bank for live payouts.
  expect([bank.rails.hasRail("test"), bank.rails.hasRail("live")]).toEqual([true, false]);
  const live = await newBankPayer(bank.service);
  await expect(pay(live)).rejects.toMatchObject({ code: "PAYO228" });
});

test("a test payout goes the whole way with the bank simulator, and no helper sets its outcome", async () => {
  const payer = await newBankPayer(bank.service, {
    mode: "test",
    account: { bsb: "062000", account_number: "12345444" },
  });
  const connection = await bank.connect(payer.subaccountId, { mode: "test" });
  const id = await pay(payer);
  const simulate = async () => {
    const body = { type: "payout", id, status: "success" };
    const { status, json } = await payer.call("POST", "/api/test-helpers/status", { body });
    return `${status} ${json.error[0].code}`;
  };
  const stage = async () => (await payer.disburse.payouts.get(id)).stage;
  expect([await simulate(), await stage()]).toEqual(["409 TEST211", "queued"]);
  const batchId = await bank.freeze(connection);
  expect((await findBatch(bank.db, batchId))?.file_name).toMatch(/^test-.*\.aba$/);
  // Alerts are about real money.
  expect(await nearestCutoffMs(bank.db)).toBeUndefined();
  expect([await simulate(), await stage()]).toEqual(["409 TEST211", "batched"]);
  await bank.send(connection, batchId);
  expect([await simulate(), await stage()]).toEqual(["409 TEST211", "submitted"]);
  let text = "";
  for await (const part of readFile(bank.service, batchId)) text += part;
  const rules = { seed: 1, returnRate: 0, speed: 1, statements: undefined } as const;
  const received = { name: "f", bytes: Buffer.from(text), receivedMs: Date.now() };
  const decided = decideFile(received, new Map(), rules);
  expect(decided.file.problems).toEqual([]);
  const answers = answersTo(decided, rules).filter(({ name }) => !name.endsWith(".txt"));
  for (const { write } of answers) {
    expect(await bank.apply(write())).toMatchObject({ applied: 1, suspended: 0 });
  }
  expect(await stage()).toBe("returned");
});

test("money of a test connection without an owner stays apart from real money", async () => {
  const payer = await newTestPayer();
  const connection = await bank.connect(payer.subaccountId, { mode: "test" });
  const date = new Date().toISOString().slice(0, 10);
  const file = abaReturns(connection, [{ amount: 700, reference: "UNKNOWN" }], { date });
  expect(await bank.apply(file, connection)).toMatchObject({ suspended: 1 });
  expect(await countSuspense(bank.db, 10)).toEqual({ items: 0, oldestMs: undefined });
  const transfersOf = async (mode: "live" | "test") => {
    const { rows } = await bank.db.pool.query(
      "select kind from ledger_transfer where subaccount_id = $1 order by number",
      [internalSubaccountIds[mode]],
    );
    return rows.map(({ kind }) => kind);
  };
  expect([await transfersOf("test"), await transfersOf("live")]).toEqual([["suspend"], []]);
  const [item] = await bank.suspenseOf(connection);
  const deciding = { id: item.id, reason: "a test", who: "operator:a", atMs: Date.now() };
  await bank.db.transaction((tx) => returnSuspense(tx, deciding));
  expect([await transfersOf("test"), await transfersOf("live")]).toEqual([
    ["suspend", "unsuspend"],
    [],
  ]);
});
