// Sets the outcome of an identity check or a payout of a test subaccount, as if a provider or the bank had reported it.

import { type SimulatedOutcome, simulatePayout } from "../../money/payouts/index.ts";
import { simulateKyc } from "../../people/kyc/index.ts";
import type { ReceiverKey } from "../../people/receivers/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { problem, Refusal } from "../../platform/refusals/index.ts";

export type SimulatedStatus = {
  type: string;
  end: string;
  causeCode: string;
  who: string;
  atMs: number;
};

/** Returns the new status. In the transaction of the caller, who has checked that the subaccount is in test mode. */
export async function setTestStatus(
  tx: Tx,
  key: ReceiverKey,
  { type, end, causeCode, who, atMs }: SimulatedStatus,
): Promise<string> {
  if (type === "kyc" && end === "return") throw new Refusal([problem("TEST203", "status")]);
  const status =
    type === "kyc"
      ? await simulateReceiver(tx, key, { end, causeCode, who, atMs })
      : await simulatePayout(tx, key, { end: end as SimulatedOutcome, causeCode, who, atMs });
  if (!status) throw new Refusal([problem("TEST201", "id")]);
  return status;
}

/** Undefined where the receiver does not exist. */
async function simulateReceiver(
  tx: Tx,
  key: ReceiverKey,
  { end, causeCode, ...said }: Omit<SimulatedStatus, "type">,
): Promise<string | undefined> {
  const outcome = end === "success" ? "approved" : "rejected";
  const reason = causeCode || `${outcome} by a test`;
  const states = await simulateKyc(tx, key, { outcome, reason, ...said }).catch((error) => {
    if (error instanceof Refusal && error.problems[0].code === "REVR101") return undefined;
    throw error;
  });
  return states?.kyc_status;
}
