// The daily limit never returns to an earlier day, also when clocks differ.

import { expect, test } from "vitest";
import { createPayouts, isCreated, toPayoutCreation } from "../../../src/money/payouts/create.ts";
import { toPayoutRequest } from "../../../src/money/payouts/payout.ts";
import { railDirectory } from "../../../src/money/rails/directory.ts";
import { sandboxRail } from "../../../src/money/rails/sandbox.ts";
import { firstIdOf } from "../../../src/platform/base/cursor.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { newPayout } from "../../support/post-requests.ts";
import { service, useService } from "../../support/service-setup.ts";

await useService();
const caller = await service.newCaller();
const { receiver_id, account_id } = await newPayout(caller);
const to = { receiver_id, account_id };

test("a payout with yesterday's id counts towards today's limit, and never moves the day back", async () => {
  await service.db.pool.query("insert into payout_limit values ($1, 'AUD', null, 100)", [
    caller.subaccountId,
  ]);
  const codeOf = async (amount: number) => {
    const { status, json } = await caller.call("POST", "/api/payout/single", {
      body: { ...to, amount, currency: "AUD" },
    });
    return status === 200 ? 200 : json.error[0].code;
  };
  expect(await codeOf(80)).toBe(200);
  // Requested before midnight, and decided after it.
  const request = toPayoutRequest({ ...to, amount: 10, currency: "AUD" });
  const made = toPayoutCreation({ ...caller, requestId: newId(), nonce: undefined }, request);
  const late = { ...made, id: firstIdOf(Date.now() - 86_400_000) };
  const rails = railDirectory([{ mode: "test", rail: sandboxRail({ delayMs: 86_000_000 }) }]);
  expect((await createPayouts({ db: service.db, rails }, [late])).map(isCreated)).toEqual([true]);
  expect(await codeOf(11)).toBe("PAYO225");
  // Another process, whose clock is ahead, has started the next day.
  await service.db.pool.query(
    "update ledger_balance set day = $2, day_total = 95 where subaccount_id = $1",
    [caller.subaccountId, new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)],
  );
  expect(await codeOf(6)).toBe("PAYO225");
  expect(await codeOf(5)).toBe(200);
  expect(await codeOf(1)).toBe("PAYO225");
});
