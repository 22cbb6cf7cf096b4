// An admin changes limits. Stricter ones hold at once; looser ones wait for another admin, or for a day.

import { recordAct } from "../../audit/record.ts";
import type { Mode } from "../../caller.ts";
import type { Clock } from "../../clock.ts";
import type { Db } from "../../db/connect.ts";
import { idTimeMs, newId } from "../../ids.ts";
import { limits } from "../../limits.ts";
import {
  isLooser,
  type LimitChange,
  limitsOnWire,
  lockPayoutLimit,
  setPayoutLimit,
} from "../../payouts/limit-queries.ts";
import type { Seal } from "../../seal.ts";
import { type AuditedUser, actOf } from "../act.ts";
import { insertChangeRequest, withdrawChangeRequests } from "../change-requests/queries.ts";

/** Whether the change waits. A change that was asked for before and still waits is withdrawn. */
export function changeLimits(
  { db, seal, clock }: { db: Db; seal: Seal; clock: Clock },
  doer: AuditedUser & { subaccount: { id: string; mode: Mode } },
  { currency, change }: { currency: string; change: LimitChange },
): Promise<boolean> {
  const { id: subaccountId, mode } = doer.subaccount;
  return db.transaction(async (tx) => {
    const limit = await lockPayoutLimit(tx, { subaccountId, currency, mode }, change);
    const [before, after] = [limitsOnWire(limit.before), limitsOnWire(limit.after)];
    const about = { subaccountId, kind: "limits", objectId: currency } as const;
    await withdrawChangeRequests(tx, about, { who: doer.who, atMs: clock() });
    const waits = isLooser(limit.before, limit.after);
    if (waits) {
      const id = newId();
      const aloneAtMs = clock() + limits.loosenAloneMs;
      const asked = { madeBy: doer.who, madeAtMs: idTimeMs(id), aloneAtMs };
      await insertChangeRequest(tx, { ...about, id, before, after, ...asked });
    } else {
      await setPayoutLimit(tx, { subaccountId, currency }, limit.after);
    }
    const action = waits ? "limits.ask" : "limits.set";
    const doing = { action, object: { kind: "limit", id: currency }, before, after };
    await recordAct({ tx, seal }, actOf(doer, doing));
    return waits;
  });
}
