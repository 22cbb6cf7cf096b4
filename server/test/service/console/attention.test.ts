// The overview's list of what needs attention: without new items in progress, and complete otherwise.

import { expect, test } from "vitest";
import { kycItems } from "../../../src/doors/console/overview/attention.ts";
import { firstIdOf } from "../../../src/platform/base/cursor.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { startConsole } from "../../support/console.ts";
import { pastOf } from "../../support/past-payouts.ts";

const service = await closeAfterTests(startConsole());

test("needs attention: identity checks that have waited, but not new ones", () => {
  const waiting = (age: number, count: number) => ({ age, count, oldest_id: firstIdOf(0) });
  const kinds = (...ages: ReturnType<typeof waiting>[]) =>
    kycItems(ages).map(({ kind, count, of }) => [kind, count, of]);
  expect(kinds(waiting(4, 9))).toEqual([]);
  expect(kinds(waiting(4, 9), waiting(3, 1))).toEqual([["kyc_waiting", 10, 0]]);
  expect(kinds(waiting(0, 2))).toEqual([["kyc_late", 2, 2]]);
  expect(kinds(waiting(3, 7), waiting(2, 2))).toEqual([["kyc_late", 9, 2]]);
});

test("needs attention: failed payouts, bank changes to approve, and events without a webhook endpoint", async () => {
  const caller = await service.newCaller();
  const past = await pastOf(service, caller);
  const { subaccountId } = caller;
  const nowMs = Date.now();
  await past.fund(nowMs, 1_000_000);
  for (const amount of [1, 2, 3]) {
    const id = await past.make(nowMs - 60_000, amount);
    await past.move(id, "submit", nowMs);
    await past.move(id, "reject", nowMs, "invalid BSB");
  }
  const receiver_id = past.receiverId;
  const bank = { receiver_id, account_type: "I", bsb: "062000", account_number: "12345999" };
  expect((await service.enter("operator").post(`/s/${subaccountId}/accounts`, bank)).status).toBe(
    200,
  );
  const operator = service.enter("operator");
  const { attention } = (await operator.get(`/s/${subaccountId}/overview`)).json;
  const byKind = Object.fromEntries(attention.map((one: { kind: string }) => [one.kind, one]));
  expect(byKind.payouts_failing).toMatchObject({ count: 3, of: 3 });
  expect(byKind.endpoint_missing.count).toBeGreaterThan(0);
  expect(byKind.bank_changes_awaiting_approval).toMatchObject({
    count: 1,
    opens: { screen: "approvals", query: { subaccount_id: subaccountId } },
  });
});
