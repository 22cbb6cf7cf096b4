// Claims a case for a while, or releases it.

import { lockOrRefuse, type ReceiverKey } from "../../../people/receivers/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { audited, type UserActor } from "../../../tenants/audit/index.ts";
import type { WriteParts } from "../write-parts.ts";
import { type ClaimRow, deleteClaim, insertClaim } from "./case-queries.ts";

export function claimCase(
  { db, seal, clock }: WriteParts,
  key: ReceiverKey,
  actor: UserActor,
): Promise<ClaimRow> {
  const entry = { action: "review.claim", object: { kind: "receiver", id: key.id } };
  return audited({ db, seal }, actor).transaction(entry, async (tx) => {
    await lockOrRefuse(tx, key);
    const { userId, who } = actor;
    const claim = await insertClaim(tx, key, { userId, who, nowMs: clock() });
    if (!claim) throw new Refusal("CONS601");
    return claim;
  });
}

/** Skipping a case releases it. */
export function leaveCase(
  { db, seal }: WriteParts,
  key: ReceiverKey,
  how: "release" | "skip",
  actor: UserActor,
): Promise<void> {
  const entry = { action: `review.${how}`, object: { kind: "receiver", id: key.id } };
  return audited({ db, seal }, actor).transaction(entry, async (tx) => {
    await lockOrRefuse(tx, key);
    await deleteClaim(tx, key, actor.userId);
  });
}
