// Valid but unreasonable JSON: refused by limits. Amounts are checked as they are written.

import { expect, test } from "vitest";
import { limits } from "../../../src/platform/limits/limits.ts";
import { type Answer, ada } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

await useService();
const caller = await service.newCaller();

const refusalOf = ({ status, json }: Answer) => [status, json.error[0].code, json.error[0].field];
const post = (path: string, raw: string) => caller.call("POST", path, { raw });
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const fields = (count: number) =>
  Array.from({ length: count }, (_, index) => `"unknown${index}":1`).join();
/** Long enough for the check. Brackets, quotes and backslashes inside a string are no levels. */
const long = `"note":"${'[{\\"\\\\:,'.repeat(1_000)}"`;

test.each([
  ["a receiver that is nested too deep", "/api/receiver", `{${long},"a":${nested(32)}}`],
  ["a row with 10,001 fields", "/api/payout/batch", `{"payouts":[{${fields(10_001)}}]}`],
  ["a row with 150,000 fields", "/api/payout/batch", `{"payouts":[{${fields(150_000)}}]}`],
  ["a batch of levels alone", "/api/payout/batch", `{"payouts":${nested(2_000_000)}}`],
  ["a batch of levels that never end", "/api/payout/batch", `{"payouts":${"[".repeat(4_000_000)}`],
  ["a batch of very many values", "/api/payout/batch", `{"payouts":[${"1,".repeat(500_000)}1]}`],
])("SYST110: %s is refused", async (_name, path, raw) => {
  expect(refusalOf(await post(path, raw))).toEqual([400, "SYST110", undefined]);
});

test("a body within the limits is checked field by field, up to 100 problems", async () => {
  const deep = await post("/api/receiver", `{${long},"a":${nested(31)}}`);
  expect(deep.json.error.map(({ code }: { code: string }) => code)).toContain("REVR231");
  const rows = Array.from({ length: 10_000 }, () => `{${fields(5)}}`).join();
  const many = await post("/api/payout/batch", `{"payouts":[${rows}]}`);
  expect([many.status, many.json.error.length]).toEqual([400, limits.problemsMax]);
  const row = await post("/api/payout/batch", `{"payouts":[{${fields(10_000)}}]}`);
  expect([row.status, row.json.error.length]).toEqual([400, limits.problemsMax]);
  expect(refusalOf(await post("/api/receiver", `{${long}]`))).toEqual([400, "REVR232", undefined]);
});

test.each(["1e2", "1E2", "1.0", "100.0", "1e0", "1.0e2", "10e-1", "-1e2"])(
  "an amount that is written %s is refused wherever amounts are sent",
  async (amount) => {
    const { receiver_id } = await caller.disburse.receivers.create(ada());
    const bank = { receiver_id, account_type: "I", bsb: "062000", account_number: "12345999" };
    const { account_id } = await caller.disburse.receiverAccounts.create(bank);
    const to = `"receiver_id":"${receiver_id}","account_id":"${account_id}","currency":"AUD"`;
    const single = await post("/api/payout/single", `{${to},"amount" :\n ${amount}}`);
    expect(single.json.error).toMatchObject([{ code: "PAYO207", field: "amount" }]);
    const batch = await post(
      "/api/payout/batch",
      `{"payouts":[{"amount":${amount},"reference":"\\"amount\\":1.0",${to}}]}`,
    );
    expect(batch.json.error).toMatchObject([{ code: "PAYO207", field: "payouts[0].amount" }]);
    const fund = await post("/api/test-helpers/fund", `{"currency":"AUD","amount":${amount}}`);
    expect(fund.json.error).toMatchObject([{ code: "TEST207", field: "amount" }]);
  },
);

test("a reference that contains JSON with an amount is stored unchanged", async () => {
  const reference = '"amount":1.0, {"amount":1e2}';
  const body = { currency: "AUD", amount: 100, reference };
  expect((await caller.call("POST", "/api/test-helpers/fund", { body })).status).toBe(200);
  const { json } = await caller.call("POST", "/api/test-helpers/fund", { body });
  expect(json.error[0].code).toBe("TEST210");
  const entries = await caller.call("GET", "/api/balance/entries?currency=AUD");
  expect(entries.json.payload[0].reference).toBe(reference);
});
