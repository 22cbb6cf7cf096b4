// GET /api/subaccount

import { tracedFor } from "../../../platform/batching/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import { type Api, success } from "../../../platform/http/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { findSubaccount, Subaccount } from "../../../tenants/subaccounts/index.ts";

export function subaccountRoutes(api: Api, { db }: { db: Db }): void {
  api.get(
    "/api/subaccount",
    {
      config: { failure: "get subaccount failed", scope: "read", refusals: ["SUBA101"] },
      schema: {
        operationId: "getSubaccount",
        tags: ["Subaccount"],
        summary: "Get current subaccount",
        description: "The subaccount of the API key.",
        response: { 200: success(Subaccount) },
      },
    },
    async ({ caller }) => {
      const subaccount = await findSubaccount(tracedFor(db, caller), caller.subaccountId);
      if (!subaccount) throw new Refusal("SUBA101");
      return { message: "get subaccount successful", payload: subaccount.wire };
    },
  );
}
