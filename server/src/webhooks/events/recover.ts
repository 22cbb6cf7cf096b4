// Resends all events of a time range, in order and about 1,000 a second, so that no statement takes long.

import { type Clock, newId, systemClock } from "../../platform/base/index.ts";
import type { Db, Runner, Tx } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { problem, Refusal } from "../../platform/refusals/index.ts";
import { endpointKey, listFurtherIds, requireEndpoint } from "../webhook-endpoints/index.ts";
import { insertFurtherRecovery } from "./further-recovery-queries.ts";
import { countToRecover, type RecoveryScope } from "./recovery-queries.ts";
import { advanceRecovery, insertRecovery, listOpenRecoveries } from "./resend-queries.ts";
import type { EventRecovery, RecoveryPreview, StartedRecovery } from "./schema.ts";

type RecoveryRange = Omit<RecoveryScope, "sinceMs" | "untilMs"> & {
  since: number;
  until: number | undefined;
};

/** How many events it would send, and whether a user has to prove again who they are. */
export async function previewRecovery(
  db: Runner,
  { since, until, ...range }: RecoveryRange,
  nowMs: number,
): Promise<RecoveryPreview> {
  const untilMs = Math.min(until ?? nowMs, nowMs);
  const scope = { ...range, sinceMs: since, untilMs };
  const { count, unsent, isCapped } = await countToRecover(db, scope);
  const needsStepUp = isCapped || count > limits.recoveryUnprovenMax;
  return { count, unsent, is_capped: isCapped, needs_step_up: needsStepUp };
}

export async function startRecovery(
  tx: Tx,
  subaccountId: string,
  { since, until, include_delivered = false, endpoint_id }: EventRecovery,
  { who, nowMs, withUnsent = true }: { who: string; nowMs: number; withUnsent?: boolean },
): Promise<StartedRecovery> {
  const only = endpoint_id && (await requireEndpoint(tx, subaccountId, endpoint_id)).key;
  const sinceMs = Number(since);
  // Later events are sent when they happen.
  const untilMs = Math.min(Number(until ?? nowMs), nowMs);
  if (sinceMs >= untilMs) throw new Refusal([problem("EVNT203", "since")]);
  const keys = only
    ? [only]
    : [subaccountId, ...(await listFurtherIds(tx, subaccountId))].map((id) =>
        endpointKey(subaccountId, id),
      );
  const ids: string[] = [];
  for (const { endpointId } of keys) {
    const range = { subaccountId, id: newId(), sinceMs, untilMs };
    const recovery = { ...range, withDelivered: include_delivered, who };
    if (endpointId) await insertFurtherRecovery(tx, { ...recovery, endpointId });
    else if (!(await insertRecovery(tx, { ...recovery, withUnsent }))) continue;
    ids.push(range.id);
  }
  const [id] = ids;
  if (!id) throw new Refusal("EVNT301");
  return { id, since: String(sinceMs), until: String(untilMs) };
}

/** Sends an endpoint that was added later the events from before it, of its types. */
export async function fillEndpoint(
  tx: Tx,
  { subaccountId, id }: { subaccountId: string; id: string },
  since: number | undefined,
  { who, nowMs }: { who: string; nowMs: number },
): Promise<StartedRecovery> {
  const { row } = await requireEndpoint(tx, subaccountId, id);
  const earliestMs = nowMs - limits.endpointFillMs;
  const sinceMs = since ?? earliestMs;
  const until = Number(row.created_at_ms ?? nowMs);
  // A request is a moment old when it arrives.
  if (sinceMs < earliestMs - limits.endpointFillSlackMs || sinceMs >= until) {
    throw new Refusal([problem("ENDP211", "since")]);
  }
  const range = { since: sinceMs, until, include_delivered: true, endpoint_id: id };
  return startRecovery(tx, subaccountId, range, { who, nowMs });
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
