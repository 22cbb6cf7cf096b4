// Stops the deliveries to a webhook endpoint until its URL is set again. Running attempts are finished.

import type { Tx } from "../../platform/db/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { updateEndpointPaused } from "./queries.ts";

export async function pauseEndpoint(
  tx: Tx,
  subaccountId: string,
  by: { who: string; nowMs: number },
): Promise<void> {
  if (!(await updateEndpointPaused(tx, subaccountId, by))) throw new Refusal("CONS702");
}
