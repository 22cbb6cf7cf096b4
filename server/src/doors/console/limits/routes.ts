// GET and PUT /console/api/s/<id>/limits: payout limits and approval thresholds

import { limitsOnWire, listPayoutLimits, setLimitsAct } from "../../../money/payouts/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { actRoute } from "../act-route.ts";
import { inSubaccount } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import { Limits } from "./schema.ts";
import { listWaitingLimits } from "./waiting.ts";

export function limitRoutes(api: Api, parts: WriteParts): void {
  const { db } = parts;
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

  actRoute(api, parts, "PUT /console/api/s/:subaccountId/limits", setLimitsAct);
}
