// A user sets the outcome of an identity check or a payout of a test subaccount, in one transaction with the audit entry.

import type { Clock } from "../../../platform/base/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { audited } from "../../../tenants/audit/index.ts";
import { setTestStatus } from "../../test-helpers/index.ts";
import type { SubaccountAccess } from "../route.ts";
import type { OutcomeSet, OutcomeToSimulate } from "./schema.ts";

export type SimulateParts = { db: Db; seal: Seal; clock: Clock };

export async function simulateOutcome(
  { db, seal, clock }: SimulateParts,
  { actor, subaccount }: SubaccountAccess,
  { id, type, status: end }: OutcomeToSimulate,
): Promise<OutcomeSet> {
  if (subaccount.mode !== "test") throw new Refusal("CONS810");
  const entry = {
    action: type === "kyc" ? "receiver.simulate_outcome" : "payout.simulate_outcome",
    object: { kind: type === "kyc" ? "receiver" : "payout", id },
    after: { outcome: end },
  };
  const key = { subaccountId: subaccount.id, id: id.toLowerCase() };
  const said = { type, end, causeCode: "", who: actor.who, atMs: clock() };
  const status = await audited({ db, seal }, actor).transaction(entry, (tx) =>
    setTestStatus(tx, key, said),
  );
  return { status };
}
