// The route GET /api/balance/funding: how a subaccount funds its balances.

import { describeFunding, FundingInstructions } from "../../../banking/connections/index.ts";
import { tracedFor } from "../../../platform/batching/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import { type Api, success } from "../../../platform/http/index.ts";

export function fundingRoutes(api: Api, { db, seal }: { db: Db; seal: Seal }): void {
  api.get(
    "/api/balance/funding",
    {
      config: { failure: "get funding failed", scope: "read" },
      schema: {
        operationId: "getFunding",
        tags: ["Balance"],
        summary: "Get the bank accounts and deposit references that fund the balances",
        description:
          "For each currency that a bank connection can pay for you, and each that you have a balance in. A transfer with " +
          "the deposit reference funds the balance when the bank reports it.",
        response: { 200: success(FundingInstructions) },
      },
    },
    async ({ caller }) => ({
      message: "get funding successful",
      payload: await describeFunding({ db: tracedFor(db, caller), seal }, caller),
    }),
  );
}
