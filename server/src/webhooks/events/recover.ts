// Resends all events of a time range, in order and about 1,000 a second, so that no statement takes long.

import { type Clock, newId, systemClock } from "../../platform/base/index.ts";
import type { Db, Tx } from "../../platform/db/index.ts";
import { problem, Refusal } from "../../platform/refusals/index.ts";
import { advanceRecovery, insertRecovery, listOpenRecoveries } from "./resend-queries.ts";
import type { EventRecovery, StartedRecovery } from "./schema.ts";

export async function startRecovery(
  tx: Tx,
  subaccountId: string,
  { since, until, include_delivered = false }: EventRecovery,
  { who, nowMs, withUnsent = true }: { who: string; nowMs: number; withUnsent?: boolean },
): Promise<StartedRecovery> {
  const sinceMs = Number(since);
  // Later events are sent when they happen.
  const untilMs = Math.min(Number(until ?? nowMs), nowMs);
  if (sinceMs >= untilMs) throw new Refusal([problem("EVNT203", "since")]);
  const id = newId();
  const included = { withDelivered: include_delivered, withUnsent };
  const recovery = { subaccountId, id, sinceMs, untilMs, ...included, who };
  if (!(await insertRecovery(tx, recovery))) throw new Refusal("EVNT301");
  return { id, since: String(sinceMs), until: String(untilMs) };
}

/**
 * Advances every open recovery by one step. Called about once a second, in any number of processes. Returns the
 * subaccounts that have new deliveries.
 */
export async function advanceRecoveries(db: Db, clock: Clock = systemClock): Promise<string[]> {
  const resumed: string[] = [];
  for (const recovery of await listOpenRecoveries(db)) {
    if ((await advanceRecovery(db, recovery, clock())) > 0) resumed.push(recovery.subaccount_id);
  }
  return resumed;
}
