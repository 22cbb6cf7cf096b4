// Sample data of an empty test subaccount: made by the acts of a user, never live, and removed as far as the books allow.

import { expect, test } from "vitest";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { startConsole } from "../../support/console.ts";
import { outcomeOf } from "../../support/service.ts";

const service = await closeAfterTests(startConsole({ bankDelayMs: 86_400_000 }));
const admin = service.enter("admin");

const stagesOf = async (subaccountId: string) => {
  const { rows } = await service.db.pool.query(
    "select stage from payout where subaccount_id = $1 order by reference",
    [subaccountId],
  );
  return rows.map(({ stage }) => stage);
};
type Step = { id: string; is_done: boolean };
const samplesOf = async (subaccountId: string) =>
  (await admin.get(`/s/${subaccountId}/quickstart`)).json.samples;

test("sample data has payouts in different states, and its removal ends what can be ended", async () => {
  const { subaccountId } = await service.newCaller({ isAlone: true });
  const path = `/s/${subaccountId}/samples`;
  expect(await samplesOf(subaccountId)).toBe("possible");
  expect(outcomeOf(await service.enter("approver").post(path))).toBe("403 CONS102");
  expect(outcomeOf(await admin.post(path))).toMatch(/^204/);
  expect(await samplesOf(subaccountId)).toBe("present");
  expect(await stagesOf(subaccountId)).toEqual([
    ...["settled", "returned", "rejected", "queued", "queued"],
  ]);
  expect(outcomeOf(await admin.post(path))).toBe("409 CONS811");
  // Samples are no steps of the quickstart.
  const { own_steps } = (await admin.get(`/s/${subaccountId}/quickstart`)).json;
  expect(own_steps.map(({ id, is_done }: Step) => [id, is_done])).toEqual([
    ...["invite", "fund", "receiver", "payout", "approve"].map((id) => [id, false]),
  ]);

  const { rows } = await service.db.pool.query(
    "select action, count(*)::int from audit_entry where subaccount_id = $1 and who = $2 group by action",
    [subaccountId, admin.who],
  );
  expect(Object.fromEntries(rows.map(({ action, count }) => [action, count]))).toMatchObject({
    "subaccount.add_samples": 1,
    "balance.add_test_funds": 1,
    "receiver.create": 3,
    "account.approve": 2,
    "payout.create": 5,
  });

  expect(outcomeOf(await admin.delete(path))).toMatch(/^204/);
  expect(await stagesOf(subaccountId)).toEqual([
    ...["settled", "returned", "rejected", "cancelled", "cancelled"],
  ]);
  const left = await service.db.pool.query(
    `select status from receiver where subaccount_id = $1
     union all select status from receiver_account where subaccount_id = $1 order by status`,
    [subaccountId],
  );
  expect(left.rows.map(({ status }) => status)).toEqual([
    // A receiver whose identity check has failed can't be paid, and stays.
    ...["failed", "inactive", "inactive", "inactive", "inactive"],
  ]);
  expect(await samplesOf(subaccountId)).toBe(null);
});

test("CONS811: no sample data live, where a second user is needed, or where there are receivers", async () => {
  const live = await service.newCaller({ mode: "live" });
  const practising = await service.newCaller({ isAlone: false });
  for (const { subaccountId } of [live, practising]) {
    expect(outcomeOf(await admin.post(`/s/${subaccountId}/samples`))).toBe("409 CONS811");
    expect(await samplesOf(subaccountId)).toBe(null);
  }
  expect(outcomeOf(await admin.delete(`/s/${live.subaccountId}/samples`))).toBe("409 CONS811");
});
