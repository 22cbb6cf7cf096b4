// An admin changes limits. Stricter limits apply at once; looser ones need another admin's approval.

import {
  areSameLimits,
  type LimitChange,
  limitsOnWire,
  lockPayoutLimit,
  setPayoutLimit,
  stricterPart,
} from "../../../money/payouts/index.ts";
import { idTimeMs, newId } from "../../../platform/base/index.ts";
import { audited } from "../../../tenants/audit/index.ts";
import { insertChangeRequest, withdrawChangeRequests } from "../../../tenants/four-eyes/index.ts";
import type { SubaccountAccess } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";

type WireLimits = ReturnType<typeof limitsOnWire>;
type ChangedLimits = { before: WireLimits; now: WireLimits; after: WireLimits };
/** Whether a part of the change applies now, and whether a part needs approval. */
type LimitsOutcome = { isApplied: boolean; waits: boolean };

/** The stricter limits of a change apply at once, the looser ones wait. An older open request is withdrawn. */
export async function changeLimits(
  { db, seal, clock }: WriteParts,
  { actor, subaccount: { id: subaccountId, mode } }: SubaccountAccess,
  { currency, change }: { currency: string; change: LimitChange },
): Promise<LimitsOutcome> {
  const object = { kind: "limit", id: currency };
  const { isApplied, waits } = await audited({ db, seal }, actor).transaction<
    ChangedLimits & LimitsOutcome
  >(
    ({ isApplied, waits, before, now, after }) => [
      ...(isApplied ? [{ action: "limits.set", object, before, after: now }] : []),
      ...(waits ? [{ action: "limits.ask", object, before: now, after }] : []),
    ],
    async (tx) => {
      const limit = await lockPayoutLimit(tx, { subaccountId, currency, mode }, change);
      const stricter = stricterPart(limit.before, limit.after);
      const before = limitsOnWire(limit.before);
      const [now, after] = [limitsOnWire(stricter), limitsOnWire(limit.after)];
      const about = { subaccountId, kind: "limits", objectId: currency } as const;
      await withdrawChangeRequests(tx, about, { who: actor.who, atMs: clock() });
      const waits = !areSameLimits(stricter, limit.after);
      const isApplied = !waits || !areSameLimits(stricter, limit.before);
      if (isApplied) await setPayoutLimit(tx, { subaccountId, currency }, stricter);
      if (waits) {
        const id = newId();
        const asked = { madeBy: actor.who, madeAtMs: idTimeMs(id) };
        await insertChangeRequest(tx, { ...about, id, before: now, after, ...asked });
      }
      return { isApplied, waits, before, now, after };
    },
  );
  return { isApplied, waits };
}
