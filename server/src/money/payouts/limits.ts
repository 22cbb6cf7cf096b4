// Limits and thresholds are changed. Stricter ones apply at once; looser ones need another admin's approval, except from
// the command line.

import Type from "typebox";
import { idTimeMs, newId } from "../../platform/base/index.ts";
import { input, optional, required } from "../../platform/fields/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { act } from "../../tenants/acts/index.ts";
import { insertChangeRequest, withdrawChangeRequests } from "../../tenants/four-eyes/index.ts";
import {
  areSameLimits,
  limitChangeOf,
  limitsOnWire,
  lockPayoutLimit,
  setPayoutLimit,
  stricterPart,
} from "./limit-queries.ts";
import { ChangedLimits } from "./schema.ts";

const maximum = Number(limits.amountMax);
/** Null: no limit. Absent: unchanged. */
const amount = (minimum: number) =>
  optional(Type.Union([Type.Null(), Type.Integer({ minimum, maximum })]));

/** An older request that waits is withdrawn. */
export const setLimitsAct = act({
  name: "limits.set",
  summary: "set payout limits of a subaccount; omitted limits stay, `none` removes a limit",
  object: "limit",
  may: "limits.write",
  stepUp: true,
  twoPeople: "Loosen a limit or a threshold",
  in: "subaccount",
  doors: ["console", "cli"],
  input: input({
    currency: required(Type.String({ format: "currency" })),
    per_payout_max: amount(1),
    per_day_max: amount(1),
    approval_above: amount(0),
    batch_approval_above: amount(0),
    receiver_day_approval_above: amount(0),
    account_day_approval_above: amount(0),
  }),
  output: ChangedLimits,
  async run({ tx, subaccount, actor, who, atMs }, { currency, ...given }) {
    const { id: subaccountId, mode } = subaccount;
    const key = { subaccountId, currency };
    const limit = await lockPayoutLimit(tx, { ...key, mode }, limitChangeOf(given));
    const isAlone = actor.kind === "command";
    const applied = isAlone ? limit.after : stricterPart(limit.before, limit.after);
    const before = limitsOnWire(limit.before);
    const [now, after] = [limitsOnWire(applied), limitsOnWire(limit.after)];
    const about = { subaccountId, kind: "limits", objectId: currency } as const;
    await withdrawChangeRequests(tx, about, { who, atMs });
    const waits = !areSameLimits(applied, limit.after);
    const isApplied = !waits || !areSameLimits(applied, limit.before);
    if (isApplied) await setPayoutLimit(tx, key, applied);
    if (waits) {
      const id = newId();
      const asked = { madeBy: who, madeAtMs: idTimeMs(id) };
      await insertChangeRequest(tx, { ...about, id, before: now, after, ...asked });
    }
    const object = { kind: "limit", id: currency };
    return {
      result: { currency, awaits_approval: waits, applied: isApplied, now },
      entries: [
        ...(isApplied ? [{ action: "limits.set", object, before, after: now }] : []),
        ...(waits ? [{ action: "limits.ask", object, before: now, after }] : []),
      ],
    };
  },
});
