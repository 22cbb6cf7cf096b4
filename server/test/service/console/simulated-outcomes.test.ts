// Outcomes that a user simulates in test mode: as the API's test helper does, recorded in the audit log.

import { expect, test } from "vitest";
import { newId } from "../../../src/platform/base/ids.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { startConsole } from "../../support/console.ts";
import { newPayee } from "../../support/payers.ts";
import { ada } from "../../support/service.ts";

const service = await closeAfterTests(startConsole());

test("a user ends an identity check and a payout, and the audit log says who", async () => {
  const { disburse, subaccountId } = await service.newCaller();
  const { receiver_id: id } = await disburse.receivers.create(ada());
  const { receiver_id, account_id } = await newPayee(disburse);
  await disburse.testHelpers.fund({ amount: 10_000, currency: "AUD" });
  const to = { receiver_id, account_id, amount: 100, currency: "AUD" };
  const { payout_id } = await disburse.payouts.create({ ...to, reference: "a" });
  const operator = service.enter("operator");
  const simulate = (body: object, person = operator, of = subaccountId) =>
    person.post(`/s/${of}/simulated-outcomes`, body);
  const codeOf = async (answer: ReturnType<typeof simulate>) => (await answer).json.error[0].code;

  await expect
    .poll(async () => (await simulate({ id, type: "kyc", status: "success" })).status)
    .toBe(200);
  expect((await disburse.receivers.get(id)).status).toBe("active");
  for (const [status, after] of [
    ["success", "successful"],
    ["return", "failed"],
  ]) {
    const { json } = await simulate({ id: payout_id, type: "payout", status });
    expect(json).toEqual({ status: after });
  }
  expect((await disburse.payouts.get(payout_id)).stage).toBe("returned");
  const { rows } = await service.db.pool.query(
    "select who, action, object_id from audit_entry where subaccount_id = $1 and action like '%simulate%' order by number",
    [subaccountId],
  );
  const { who } = operator;
  const payout = { who, action: "payout.simulate_outcome", object_id: payout_id };
  expect(rows).toEqual([
    { who, action: "receiver.simulate_outcome", object_id: id },
    payout,
    payout,
  ]);

  // What the state does not allow, what does not exist, and what is no outcome.
  const fail = { id: payout_id, type: "payout", status: "fail" };
  expect(await codeOf(simulate(fail))).toBe("PAYO302");
  expect(await codeOf(simulate({ ...fail, id: newId() }))).toBe("TEST201");
  expect(await codeOf(simulate({ id, type: "kyc", status: "return" }))).toBe("TEST203");
  expect(await codeOf(simulate({ ...fail, status: "paid" }))).toBe("CONS108");
  expect(await codeOf(simulate({ ...fail, id: "1" }))).toBe("CONS108");
  const live = await service.newCaller({ mode: "live" });
  expect(await codeOf(simulate(fail, operator, live.subaccountId))).toBe("CONS810");
  // The receiver of another subaccount is not found.
  const other = await service.newCaller();
  expect(await codeOf(simulate(fail, operator, other.subaccountId))).toBe("TEST201");
});
