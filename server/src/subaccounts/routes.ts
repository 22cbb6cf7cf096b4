// GET /api/subaccount

import type { Db } from "../db/connect.ts";
import { tracedFor } from "../db/trace-statement.ts";
import { type Api, success } from "../http/route.ts";
import { Refusal } from "../refusals/refusals.ts";
import { findSubaccount } from "./queries.ts";
import { Subaccount } from "./schema.ts";

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
