// A user sets the outcome of an identity check or a payout of a test subaccount, in one transaction with the audit entry.

import { audited } from "../../audit/audited.ts";
import type { Clock } from "../../clock.ts";
import type { Db } from "../../db/connect.ts";
import { Refusal } from "../../refusals/refusals.ts";
import type { Seal } from "../../seal.ts";
import { setTestStatus } from "../../test-helpers/set-status.ts";
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
