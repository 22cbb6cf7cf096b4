// Stops the delivery to a subaccount's endpoint until its address is set again. What is under way is still sent.

import type { Tx } from "../db/connect.ts";
import { Refusal } from "../refusals/refusals.ts";
import { updateEndpointPaused } from "./queries.ts";

export async function pauseEndpoint(
  tx: Tx,
  subaccountId: string,
  by: { who: string; nowMs: number },
): Promise<void> {
  if (!(await updateEndpointPaused(tx, subaccountId, by))) throw new Refusal("CONS702");
}
