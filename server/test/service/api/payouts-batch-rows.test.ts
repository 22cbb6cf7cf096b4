// The rows of a payout batch: all problems of all rows are reported at once, and no payout is created if there is one.

import { expect, test } from "vitest";
import { limits } from "../../../src/platform/limits/limits.ts";
import { ada, addAccount } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

await useService();

async function newPayer() {
  const caller = await service.newCaller();
  const { receiver_id } = await caller.disburse.receivers.create(ada());
  await caller.disburse.testHelpers.setStatus({ id: receiver_id, type: "kyc", status: "success" });
  const account_id = await addAccount(service, caller.subaccountId, receiver_id);
  await caller.disburse.testHelpers.fund({ amount: 1_000, currency: "AUD" });
  const send = async (payouts: object[], headers = {}) => {
    const body = { payouts };
    const { status, json } = await caller.call("POST", "/api/payout/batch", { body, headers });
    const problems = (json.error ?? []) as { code: string; field: string }[];
    return [status, ...problems.map(({ code, field }) => `${code} ${field}`)];
  };
  const list = async () => (await caller.call("GET", "/api/payout")).json.payload;
  return { good: { receiver_id, account_id, amount: 50, currency: "AUD" }, send, list };
}

test("a well-formed row is checked by the rules although another row is malformed", async () => {
  const { good, send, list } = await newPayer();
  const { good: other } = await newPayer();
  const headers = { "idempotency-key": "rows" };
  const refused = await send(
    [
      { ...good, account_id: other.account_id },
      { ...good, amount: "1.5" },
      { ...good, currency: "NZD" },
      { ...good, amount: "9007199254740992" },
      good,
      { ...good, reference: "y", amount: 951 },
    ],
    headers,
  );
  expect(refused).toEqual([
    400,
    "PAYO207 payouts[1].amount",
    "PAYO207 payouts[3].amount",
    "PAYO206 payouts[0].account_id",
    "PAYO223 payouts[2].currency",
    "PAYO227 payouts[5].amount",
  ]);
  expect(await list()).toEqual([]);
  // A refusal is not stored, so the key can be used for the corrected batch.
  expect(await send([good], headers)).toEqual([200]);
  expect(await list()).toHaveLength(1);
});

test("the first 100 problems of form and rules together are reported", async () => {
  const { good, send, list } = await newPayer();
  const bad = Array.from({ length: 60 }, () => ({ ...good, currency: "aud" }));
  const unpayable = Array.from({ length: 300 }, () => ({ ...good, receiver_id: good.account_id }));
  const [status, ...problems] = await send([...bad, good, ...unpayable]);
  expect([status, problems.length]).toEqual([400, limits.problemsMax]);
  expect(problems[59]).toBe("PAYO208 payouts[59].currency");
  expect(problems[60]).toBe("PAYO205 payouts[61].receiver_id");
  expect(await list()).toEqual([]);
});
