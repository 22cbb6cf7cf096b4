// A user adds test funds to a balance of a test subaccount, in one transaction with the audit entry.

import { type FundingOutcome, findBalance, fundMany } from "../../../money/ledger/index.ts";
import type { Clock } from "../../../platform/base/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import { problem, Refusal } from "../../../platform/refusals/index.ts";
import { audited } from "../../../tenants/audit/index.ts";
import type { SubaccountAccess } from "../route.ts";
import type { TestFundsAdded, TestFundsRequest } from "./schema.ts";
import { presentDay } from "./trend.ts";

type FundParts = { db: Db; seal: Seal; clock: Clock };

export async function addTestFunds(
  { db, seal, clock }: FundParts,
  { actor, subaccount }: SubaccountAccess,
  { amount, currency, key }: TestFundsRequest,
): Promise<TestFundsAdded> {
  if (subaccount.mode !== "test") throw new Refusal("CONS808");
  const balance = { subaccountId: subaccount.id, currency };
  const reference = `console ${key}`;
  const funding = { ...balance, amount: BigInt(amount), reference, who: actor.who, atMs: clock() };
  const entry = {
    action: "balance.add_test_funds",
    object: { kind: "balance", id: currency },
    after: { amount, currency, reference },
  };
  // Pressed twice, the button adds the funds once.
  await audited({ db, seal }, actor).transaction(
    (outcome: FundingOutcome | undefined) => (outcome?.outcome === "funded" ? entry : undefined),
    async (tx) => {
      const [outcome] = await fundMany(tx, [funding]);
      requireFunded(outcome, funding.amount);
      return outcome;
    },
  );
  const { in_transit: clearing, ...rest } = await findBalance(db, balance);
  return { currency, ...presentDay({ ...rest, clearing }) };
}

function requireFunded(outcome: FundingOutcome | undefined, amount: bigint): void {
  if (outcome?.outcome === "too-large") throw new Refusal([problem("BALA107", "amount")]);
  if (outcome?.outcome === "funded-before" && outcome.amount !== amount) {
    throw new Refusal([problem("CONS108", "key")]);
  }
}
