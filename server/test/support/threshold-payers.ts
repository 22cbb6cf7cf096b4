// Subaccounts that pay to several receivers under thresholds, for tests.

import { railDirectory } from "../../src/money/rails/directory.ts";
import { sandboxRail } from "../../src/money/rails/sandbox.ts";
import { newId } from "../../src/platform/base/ids.ts";
import { type ConsoleService, startConsole } from "./console.ts";
import { ada } from "./service.ts";

/** The banks take a day, so that no payout is sent while a test looks at it. */
export function startThresholdConsole(clock: () => number = Date.now): Promise<ConsoleService> {
  const live = { ...sandboxRail({ delayMs: 86_400_000 }), id: "live-bank" };
  const rails = railDirectory([
    { mode: "test", rail: sandboxRail({ delayMs: 86_400_000 }) },
    { mode: "live", rail: live },
  ]);
  return startConsole({ rails, clock });
}

let lastNumber = 12_000_000;
/** An account number that no other receiver has. */
export const newAccountNumber = () => String(++lastNumber);

export type ThresholdPayer = Awaited<ReturnType<typeof newThresholdPayer>>;

export async function newThresholdPayer(
  service: ConsoleService,
  { mode = "test" }: { mode?: "test" | "live" } = {},
) {
  const caller = await service.newCaller({ mode, version2Only: false });
  const { disburse, subaccountId } = caller;
  const newPayee = async (
    account_number = newAccountNumber(),
    more: object = { bsb: "062000" },
  ) => {
    const { receiver_id } = await disburse.receivers.create(ada());
    await service.db.pool.query(
      "update receiver set status = 'active', kyc_status = 'completed' where id = $1",
      [receiver_id],
    );
    const bank = { account_type: "I" as const, account_number, ...more };
    const { account_id } = await disburse.receiverAccounts.create({ receiver_id, ...bank });
    return { receiver_id, account_id };
  };
  await service.db.pool.query(
    `insert into ledger_balance (subaccount_id, currency, available, bank)
     select $1, unnest($2::text[]), 1000000000, 1000000000`,
    [subaccountId, ["AUD", "JPY", "NZD"]],
  );
  const payee = await newPayee();
  const input = (amount: number, to = payee, currency = "AUD") => ({
    ...to,
    amount,
    currency,
    reference: newId(),
  });
  const stageOf = async (id: string) => (await disburse.payouts.get(id)).stage;
  return {
    ...caller,
    payee,
    newPayee,
    input,
    stageOf,
    limits: `/s/${subaccountId}/limits`,
    pay: async (amount: number, to = payee, currency = "AUD") =>
      stageOf((await disburse.payouts.create(input(amount, to, currency))).payout_id),
  };
}
