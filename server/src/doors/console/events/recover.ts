// A user sends all events of a time range again in the background, or cancels that.

import { limits } from "../../../platform/limits/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { audited } from "../../../tenants/audit/index.ts";
import { isProven } from "../../../tenants/roles/index.ts";
import { startRecovery } from "../../../webhooks/events/index.ts";
import type { SubaccountAccess } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import { toRecovery } from "./present.ts";
import { countToRecover, listRecoveries, updateRecoveryCancelled } from "./queries.ts";
import type { Recoveries, Recovery, RecoveryPreview } from "./schema.ts";

type RecoveryRange = {
  since: number;
  until: number | undefined;
  withDelivered: boolean;
  withUnsent: boolean;
};

/** How many events it would send, and whether the user has to confirm who they are. */
export async function previewRecovery(
  { db, clock }: Pick<WriteParts, "db" | "clock">,
  subaccountId: string,
  { since, until, withDelivered, withUnsent }: RecoveryRange,
): Promise<RecoveryPreview> {
  const nowMs = clock();
  const untilMs = Math.min(until ?? nowMs, nowMs);
  const range = { subaccountId, sinceMs: since, untilMs, withDelivered, withUnsent };
  const { count, unsent, isCapped } = await countToRecover(db, range);
  const needsStepUp = isCapped || count > limits.recoveryUnprovenMax;
  return { count, unsent, is_capped: isCapped, needs_step_up: needsStepUp };
}

export async function recoverEvents(
  parts: WriteParts,
  { actor, session, subaccount }: SubaccountAccess,
  range: RecoveryRange,
): Promise<Recovery> {
  const { clock } = parts;
  const { since, until, withDelivered, withUnsent } = range;
  const preview = await previewRecovery(parts, subaccount.id, range);
  const { count, is_capped, needs_step_up } = preview;
  if (needs_step_up && !isProven(session, clock())) throw new Refusal("CONS103");
  const times = { since, ...(until !== undefined && { until }) };
  const after = {
    ...times,
    with_delivered: withDelivered,
    with_unsent: withUnsent,
    count,
    is_capped,
  };
  return audited(parts, actor).transaction<Recovery>(
    ({ id }) => ({ action: "event.recover", object: { kind: "recovery", id }, after }),
    async (tx) => {
      const request = { ...times, include_delivered: withDelivered };
      const by = { who: actor.who, nowMs: clock(), withUnsent };
      const { id } = await startRecovery(tx, subaccount.id, request, by);
      const started = (await listRecoveries(tx, subaccount.id)).find((one) => one.id === id);
      if (!started) throw new Error("a recovery that was just started must be listed");
      return toRecovery(started);
    },
  );
}

export function cancelRecovery(
  { db, seal, clock }: WriteParts,
  { actor, subaccount }: SubaccountAccess,
  id: string,
): Promise<Recoveries> {
  const entry = { action: "event.recover.cancel", object: { kind: "recovery", id } };
  return audited({ db, seal }, actor).transaction(entry, async (tx) => {
    const by = { who: actor.who, nowMs: clock() };
    const isCancelled = await updateRecoveryCancelled(tx, { subaccountId: subaccount.id, id }, by);
    if (!isCancelled) throw new Refusal("CONS704");
    return { rows: (await listRecoveries(tx, subaccount.id)).map(toRecovery) };
  });
}
