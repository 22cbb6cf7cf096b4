// The payout worker with a bank that fails in part.

import { afterAll, expect, test } from "vitest";
import { startPayoutWorker } from "../../../src/money/payouts/worker.ts";
import { railDirectory } from "../../../src/money/rails/directory.ts";
import type { DirectRail } from "../../../src/money/rails/rail.ts";
import { sandboxRail } from "../../../src/money/rails/sandbox.ts";
import { payoutTest } from "../../support/cli-payouts-setup.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";

const suite = await closeAfterTests(payoutTest());
afterAll(async () => {
  await suite.verified();
});

/** Runs the worker with this bank until `readStored` returns what is expected. Returns its warnings. */
async function until(rail: DirectRail, readStored: () => Promise<unknown>, expected: unknown) {
  const warnings: string[] = [];
  const warn = ({ err, why }: { err?: Error; why?: string }) =>
    void warnings.push(err ? err.message : `set aside: ${why}`);
  const log = { warn };
  const worker = startPayoutWorker({
    ...suite,
    log: log as never,
    rails: railDirectory([{ mode: "test", rail }]),
  });
  await expect
    .poll(readStored)
    .toEqual(expected)
    .finally(() => worker.close());
  return warnings;
}

test("a bank that accepts no new payouts is still asked about earlier ones", async () => {
  const payer = await suite.payer(1_000n);
  const payee = await payer.payee();
  const stages = async () =>
    (await payer.stored()).map(({ stage, provider_reference }) => [stage, provider_reference]);
  const known = expect.stringMatching(/^sandbox-/);

  await payer.pay(payee, 1n);
  const silent = { ...sandboxRail({ delayMs: 0 }), askAfterMs: 86_400_000 };
  await until(silent, stages, [["submitted", known]]);
  await payer.pay(payee, 2n);
  await suite.db.pool.query("update payout set due_at_ms = 1 where stage = 'submitted'");

  const submit = async () => {
    throw new Error("the bank takes nothing");
  };
  const closed = { ...silent, submit };
  const expected = [
    ["settled", known],
    ["submitted", ""],
  ];
  expect(await until(closed, stages, expected)).toEqual([
    "the bank takes nothing",
    "set aside: unconfirmed",
  ]);
});
