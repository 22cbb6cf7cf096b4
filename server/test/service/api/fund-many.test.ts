// Many fundings in one transaction: each counts once, none spoils the others, and the event says what arrived.

import { expect, test } from "vitest";
import { type Funding, fund, fundMany } from "../../../src/money/ledger/fund.ts";
import { reverseFunding } from "../../../src/money/ledger/reverse.ts";
import { verifyLedger } from "../../../src/money/ledger/verify.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { limits } from "../../../src/platform/limits/limits.ts";
import { service, useService } from "../../support/service-setup.ts";

await useService();

const by = { who: "service", atMs: Date.now() };
const money = (subaccountId: string, amount: bigint, reference: string, more = {}): Funding => ({
  subaccountId,
  currency: "AUD",
  amount,
  reference,
  ...by,
  ...more,
});
const fundAll = (fundings: readonly Funding[]) =>
  service.db.transaction((tx) => fundMany(tx, fundings));
const outcomesOf = (results: { outcome: string }[]) => results.map(({ outcome }) => outcome);

async function availableOf(subaccountId: string): Promise<Record<string, number>> {
  const { rows } = await service.db.pool.query(
    "select currency, available from ledger_balance where subaccount_id = $1 order by currency",
    [subaccountId],
  );
  return Object.fromEntries(rows.map((row) => [row.currency, Number(row.available)]));
}

async function transfersOf(subaccountId: string) {
  const { rows } = await service.db.pool.query(
    "select kind, debit, credit, reference from ledger_transfer where subaccount_id = $1 order by number",
    [subaccountId],
  );
  return rows;
}

test("outcomes have the order of the fundings, and a refused one changes nothing", async () => {
  const [one, other] = [newId(), newId()];
  const transferId = newId();
  await fundAll([money(one, 5n, "before", { transferId })]);
  const results = await fundAll([
    money(other, 7n, "a"),
    money(one, 1n, "a"),
    money(one, 5n, "before"),
    money(one, limits.amountMax, "too much"),
    money(one, 2n, "b", { currency: "NZD" }),
    money(other, 3n, "b"),
    money(other, 9n, "a"),
  ]);
  expect(outcomesOf(results)).toEqual([
    "funded",
    "funded",
    "funded-before",
    "too-large",
    "funded",
    "funded",
    "funded-before",
  ]);
  expect(results[2]).toEqual({ outcome: "funded-before", transferId, amount: 5n });
  expect(results[6]).toMatchObject({ amount: 7n });
  expect(await availableOf(one)).toEqual({ AUD: 6, NZD: 2 });
  expect(await availableOf(other)).toEqual({ AUD: 10 });
  expect((await verifyLedger(service.db)).differences).toEqual([]);
});

test("a balance takes exactly the largest amount, whatever comes before and after", async () => {
  const subaccountId = newId();
  const results = await fundAll([
    money(subaccountId, limits.amountMax - 1n, "most"),
    money(subaccountId, 2n, "two"),
    money(subaccountId, 1n, "one"),
    money(subaccountId, 1n, "one more"),
  ]);
  expect(outcomesOf(results)).toEqual(["funded", "too-large", "funded", "too-large"]);
  const single = service.db.transaction((tx) => fund(tx, money(subaccountId, 1n, "alone")));
  await expect(single).rejects.toMatchObject({ problems: [{ code: "BALA107" }] });
});

test("transactions that fund the same balances in opposite orders all end, each reference counts once", async () => {
  const subaccounts = Array.from({ length: 12 }, newId);
  const all = subaccounts.flatMap((id) => [money(id, 1n, "a"), money(id, 10n, "b")]);
  const rounds = await Promise.all(
    Array.from({ length: 8 }, (_, turn) => fundAll(turn % 2 ? all.toReversed() : all)),
  );
  expect(rounds.flatMap(outcomesOf).filter((outcome) => outcome === "funded")).toHaveLength(24);
  for (const id of subaccounts) expect(await availableOf(id)).toEqual({ AUD: 11 });
  expect((await verifyLedger(service.db)).differences).toEqual([]);
});

test("more fundings than fit one statement are numbered in their order", async () => {
  const subaccountId = newId();
  const many = Array.from({ length: 5_001 }, (_, index) => money(subaccountId, 1n, `${index}`));
  expect(new Set(outcomesOf(await fundAll(many)))).toEqual(new Set(["funded"]));
  const references = (await transfersOf(subaccountId)).map(({ reference }) => reference);
  expect(references).toEqual(many.map(({ reference }) => reference));
  expect(await fundAll([])).toEqual([]);
});

test("the books name the bank connection that has the money, and not the sandbox", async () => {
  const subaccountId = newId();
  const rail = `bank:${newId()}`;
  const [, result] = await fundAll([
    money(subaccountId, 1n, "sandbox", { rail: "sandbox" }),
    money(subaccountId, 2n, "connection", { rail }),
    money(subaccountId, 3n, "unknown"),
  ]);
  if (result?.outcome !== "funded") throw new Error("it must be funded");
  const { transferId } = result;
  const reversal = { subaccountId, transferId, reason: "mistake", ...by };
  expect(await reverseFunding(service.db, reversal)).toMatchObject({ outcome: "reversed" });
  const fundings = { kind: "fund", credit: "available" };
  expect(await transfersOf(subaccountId)).toEqual([
    { ...fundings, debit: "bank", reference: "sandbox" },
    { ...fundings, debit: `bank:${rail}`, reference: "connection" },
    { ...fundings, debit: "bank", reference: "unknown" },
    { kind: "reversal", debit: "available", credit: `bank:${rail}`, reference: "mistake" },
  ]);
  expect((await verifyLedger(service.db)).differences).toEqual([]);
});

test("balanceFunded is sent only on request, for each funding, with the balance after it", async () => {
  const [asks, other] = [await service.newCaller(), await service.newCaller()];
  const fundings = (reference: string) => [
    money(asks.subaccountId, 500n, reference),
    money(other.subaccountId, 500n, reference),
  ];
  await fundAll(fundings("unheard"));
  await asks.disburse.subaccount.update({ event_types: ["balanceFunded"] });
  const transferId = newId();
  await fundAll([
    ...fundings("one"),
    money(asks.subaccountId, 70n, "line 7", { depositReference: "0123456789", transferId }),
    ...fundings("one"),
    money(asks.subaccountId, limits.amountMax, "too much"),
  ]);
  await asks.disburse.testHelpers.fund({ amount: 9, currency: "NZD", reference: "test" });
  const events = asks.disburse.events.list({ type: "balanceFunded" });
  const bodies = (await events.toArray()).map(({ data }) => data).reverse();
  const same = { event: "balanceFunded", status: "funded", subccount_id: asks.subaccountId };
  const made = { transfer_id: expect.any(String), timestamp: expect.any(Number) };
  expect(bodies).toEqual([
    { ...same, ...made, amount: 500, currency: "AUD", reference: "one", available: 1_000 },
    {
      ...same,
      ...{ transfer_id: transferId, timestamp: by.atMs, currency: "AUD" },
      ...{ amount: 70, reference: "0123456789", available: 1_070 },
    },
    { ...same, ...made, amount: 9, currency: "NZD", reference: "test", available: 9 },
  ]);
  expect(await other.disburse.events.list({ type: "balanceFunded" }).toArray()).toEqual([]);
});

test("a funding that is rolled back sends no event", async () => {
  const caller = await service.newCaller();
  await caller.disburse.subaccount.update({ event_types: ["balanceFunded"] });
  const failing = service.db.transaction(async (tx) => {
    await fundMany(tx, [money(caller.subaccountId, 5n, "lost")]);
    throw new Error("the file is refused");
  });
  await expect(failing).rejects.toThrow("the file is refused");
  expect(await caller.disburse.events.list({ type: "balanceFunded" }).toArray()).toEqual([]);
  expect(await availableOf(caller.subaccountId)).toEqual({});
});

test("a test event about a real transfer is refused", async () => {
  const caller = await service.newCaller();
  const transferId = newId();
  await fundAll([money(caller.subaccountId, 5n, "real", { transferId })]);
  const trigger = (set: object) =>
    caller.call("POST", "/api/event/test", { body: { type: "balanceFunded", set } });
  const refused = await trigger({ transfer_id: transferId });
  expect(refused.json.error).toMatchObject([{ code: "EVNT208", field: "set.transfer_id" }]);
  expect((await trigger({ amount: 1 })).status).toBe(200);
});
