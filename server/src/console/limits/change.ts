// An admin changes limits. Stricter limits apply at once; looser ones need another admin's approval.

import { audited } from "../../audit/audited.ts";
import { idTimeMs, newId } from "../../ids.ts";
import {
  isLooser,
  type LimitChange,
  limitsOnWire,
  lockPayoutLimit,
  setPayoutLimit,
} from "../../payouts/limit-queries.ts";
import { insertChangeRequest, withdrawChangeRequests } from "../change-requests/queries.ts";
import type { SubaccountAccess } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";

type WireLimits = ReturnType<typeof limitsOnWire>;
type ChangedLimits = { waits: boolean; before: WireLimits; after: WireLimits };

/** Returns whether the change needs approval. An older open request is withdrawn. */
export async function changeLimits(
  { db, seal, clock }: WriteParts,
  { actor, subaccount: { id: subaccountId, mode } }: SubaccountAccess,
  { currency, change }: { currency: string; change: LimitChange },
): Promise<boolean> {
  const { waits } = await audited({ db, seal }, actor).transaction<ChangedLimits>(
    ({ waits, before, after }) => ({
      action: waits ? "limits.ask" : "limits.set",
      object: { kind: "limit", id: currency },
      before,
      after,
    }),
    async (tx) => {
      const limit = await lockPayoutLimit(tx, { subaccountId, currency, mode }, change);
      const [before, after] = [limitsOnWire(limit.before), limitsOnWire(limit.after)];
      const about = { subaccountId, kind: "limits", objectId: currency } as const;
      await withdrawChangeRequests(tx, about, { who: actor.who, atMs: clock() });
      const waits = isLooser(limit.before, limit.after);
      if (waits) {
        const id = newId();
        const asked = { madeBy: actor.who, madeAtMs: idTimeMs(id) };
        await insertChangeRequest(tx, { ...about, id, before, after, ...asked });
      } else {
        await setPayoutLimit(tx, { subaccountId, currency }, limit.after);
      }
      return { waits, before, after };
    },
  );
  return waits;
}
