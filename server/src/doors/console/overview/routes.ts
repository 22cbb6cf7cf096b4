// GET /console/api/s/:subaccountId/overview: the figures of the overview

import type { Api } from "../../../platform/http/index.ts";
import { inSubaccount } from "../route.ts";
import { findOverview, type OverviewParts } from "./overview.ts";
import { Overview, OverviewQuery } from "./schema.ts";

export function overviewRoutes(api: Api, parts: OverviewParts): void {
  api.get(
    "/console/api/s/:subaccountId/overview",
    {
      config: { may: "read" },
      schema: { querystring: OverviewQuery, response: { 200: Overview } },
    },
    (request) => {
      const { subaccount, user } = inSubaccount(request);
      return findOverview(parts, { subaccountId: subaccount.id, user }, request.query);
    },
  );
}
