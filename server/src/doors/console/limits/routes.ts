// GET and PUT /console/api/s/<id>/limits: payout limits and approval thresholds

import { limitChangeOf, limitsOnWire, listPayoutLimits } from "../../../money/payouts/index.ts";
import type { Clock } from "../../../platform/base/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { inSubaccount } from "../route.ts";
import { changeLimits } from "./change.ts";
import { ChangedLimits, Limits, LimitsChange } from "./schema.ts";
import { listWaitingLimits } from "./waiting.ts";

export function limitRoutes(
  api: Api,
  { db, seal, clock }: { db: Db; seal: Seal; clock: Clock },
): void {
  api.get(
    "/console/api/s/:subaccountId/limits",
    { config: { may: "read" }, schema: { response: { 200: Limits } } },
    async (request) => {
      const { subaccount } = inSubaccount(request);
      const rows = await listPayoutLimits(db, subaccount.id);
      return {
        rows: rows.map(({ currency, ...limit }) => ({ currency, ...limitsOnWire(limit) })),
        waiting: await listWaitingLimits(db, subaccount.id),
        default_units: subaccount.mode === "live" ? limits.liveThresholdUnits : null,
      };
    },
  );

  api.put(
    "/console/api/s/:subaccountId/limits",
    {
      config: { may: "limits.write", stepUp: true },
      schema: { body: LimitsChange, response: { 200: ChangedLimits } },
    },
    async (request) => {
      const { currency, ...given } = request.body;
      const change = limitChangeOf(given);
      const { isApplied, waits } = await changeLimits({ db, seal, clock }, inSubaccount(request), {
        currency,
        change,
      });
      return { currency, awaits_approval: waits, applied: isApplied };
    },
  );
}
