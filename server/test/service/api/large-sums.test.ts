// Amounts at the limit of exact JSON numbers: a balance is limited to it, and larger sums are strings.

import { expect, test } from "vitest";
import { moneyText } from "../../../../console/src/state/money.ts";
import { limits } from "../../../src/platform/limits/limits.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { startConsole } from "../../support/console.ts";
import { pastOf } from "../../support/past-payouts.ts";

const service = await closeAfterTests(startConsole());

const most = Number(limits.amountMax);

test("BALA107: a deposit above the largest exact number is refused, and the balance can be read", async () => {
  const caller = await service.newCaller();
  const fund = (amount: number) =>
    caller.call("POST", "/api/test-helpers/fund", { body: { amount, currency: "AUD" } });
  expect((await fund(most - 1)).status).toBe(200);
  const refused = await fund(2);
  expect([refused.status, refused.json.error[0].code]).toEqual([409, "BALA107"]);
  expect((await fund(1)).status).toBe(200);
  const { status, json } = await caller.call("GET", "/api/balance");
  expect([status, json.payload[0].available]).toEqual([200, most]);
});

test("larger sums are strings in the console, and a balance that a return makes larger can be read", async () => {
  const caller = await service.newCaller();
  const past = await pastOf(service, caller);
  const nowMs = Date.now();
  await past.fund(nowMs, most);
  const paid = await past.make(nowMs, most);
  await past.move(paid, "submit", nowMs);
  await past.move(paid, "settle", nowMs);
  await past.fund(nowMs, most);
  const finance = service.enter("finance");
  const get = async (path: string) => {
    const { status, json } = await finance.get(`/s/${caller.subaccountId}/${path}`);
    expect([path, status]).toEqual([path, 200]);
    return json;
  };
  const twice = String(limits.amountMax * 2n);
  const dayMs = nowMs - (nowMs % 86_400_000);
  const period = `from=${dayMs}&to=${dayMs + 86_400_000}`;
  const [aud] = (await get(`reconcile?${period}`)).balances;
  expect(aud).toMatchObject({ funded: twice, paid: most, closing: most });
  await get("overview?range=7d");

  await past.move(paid, "return", nowMs, "account closed");
  expect((await get(`reconcile?${period}`)).balances[0]).toMatchObject({ closing: twice });
  await get("overview?range=7d");
  const { status, json } = await caller.call("GET", "/api/balance");
  expect([status, json.payload[0].available]).toEqual([200, Number(twice)]);
});

test("the console formats a sum above the largest exact number exactly", () => {
  expect(moneyText("18014398509481982", "AUD")).toBe("180,143,985,094,819.82 AUD");
  expect(moneyText("-18014398509481982", "JPY")).toBe("−18,014,398,509,481,982 JPY");
  expect(moneyText(-5, "AUD")).toBe("−0.05 AUD");
});
