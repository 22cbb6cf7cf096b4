// A live rail beside the test rail: the worker sends each payout to the rail of its mode, currency and country.

import { expect, test } from "vitest";
import { railDirectory } from "../../../src/money/rails/directory.ts";
import type { DirectRail, RailPayout } from "../../../src/money/rails/rail.ts";
import { sandboxRail } from "../../../src/money/rails/sandbox.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { ada, startService, type TestCaller } from "../../support/service.ts";

const sandbox = sandboxRail({ delayMs: 0 });

/** A test bank that pays everything and records the payouts that it gets. */
const submitted: RailPayout[] = [];
const bank: DirectRail = {
  ...sandbox,
  id: "bank-of-the-test",
  async submit({ payouts }) {
    submitted.push(...payouts);
    return "bank-1";
  },
  async ask(payouts) {
    const items = payouts.map(({ payoutId, isPaid }) => ({
      payoutId,
      outcome: isPaid ? "unknown" : "settled",
      cause: "",
      causeCode: "",
      providerReference: `bank-${payoutId}`,
    }));
    return Buffer.from(items.map((item) => `${JSON.stringify(item)}\n`).join(""));
  },
};

const rails = railDirectory([
  { mode: "test", rail: sandbox },
  { mode: "live", rail: bank, currencies: ["AUD"], countries: ["AUS"] },
]);
const service = await closeAfterTests(startService({ rails }));

async function newPayer(mode: "test" | "live") {
  const caller = await service.newCaller({ mode });
  const { receiver_id } = await caller.disburse.receivers.create(ada());
  await service.db.pool.query(
    "update receiver set status = 'active', kyc_status = 'completed' where subaccount_id = $1",
    [caller.subaccountId],
  );
  const details = { account_type: "I", bsb: "062000", account_number: "12345999" } as const;
  const { account_id } = await caller.disburse.receiverAccounts.create({ receiver_id, ...details });
  await service.db.pool.query(
    `insert into ledger_balance (subaccount_id, currency, available, bank)
     values ($1, 'AUD', 1000, 1000), ($1, 'NZD', 1000, 1000)`,
    [caller.subaccountId],
  );
  return { ...caller, to: { receiver_id, account_id } };
}

const stateOf = async ({ disburse }: TestCaller, id: string) => {
  const { status, provider_reference } = await disburse.payouts.get(id);
  return [status, provider_reference];
};

test("a live payout is sent to the live rail and settles", async () => {
  const payer = await newPayer("live");
  const body = { ...payer.to, amount: 100, currency: "AUD" };
  const { payout_id } = await payer.disburse.payouts.create(body);
  await expect.poll(() => stateOf(payer, payout_id)).toEqual(["successful", `bank-${payout_id}`]);
  expect(submitted.filter(({ payoutId }) => payoutId === payout_id)).toMatchObject([
    { amount: 100n, accountNumber: "12345999" },
  ]);
});

test("a test payout never reaches the live rail", async () => {
  const payer = await newPayer("test");
  const body = { ...payer.to, amount: 100, currency: "AUD" };
  const { payout_id } = await payer.disburse.payouts.create(body);
  await expect
    .poll(() => stateOf(payer, payout_id))
    .toEqual(["successful", expect.stringMatching(/^sandbox-/)]);
  expect(submitted.some(({ payoutId }) => payoutId === payout_id)).toBe(false);
});

test("a currency that no live rail pays is refused", async () => {
  const payer = await newPayer("live");
  const body = { ...payer.to, amount: 100, currency: "NZD" };
  const { status, json } = await payer.call("POST", "/api/payout/single", { body });
  expect([status, json.error[0].code]).toEqual([400, "PAYO228"]);
});

test("two rails with one id are refused", () => {
  const entries = [
    { mode: "test", rail: sandbox },
    { mode: "live", rail: sandboxRail({ delayMs: 0 }) },
  ] as const;
  expect(() => railDirectory(entries)).toThrow("two rails have the id sandbox");
});
