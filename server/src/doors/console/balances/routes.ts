// /console/api/s/:subaccountId/balances: the balances with their trend, their lines, money flow and test funds

import { addTestFundsAct, findBalance } from "../../../money/ledger/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { actRoute } from "../act-route.ts";
import { listRoute } from "../list-route.ts";
import { inSubaccount } from "../route.ts";
import { type BalanceParts, readBalances } from "./balances.ts";
import { readFlow } from "./flow.ts";
import { readLines } from "./lines.ts";
import {
  BalanceLine,
  BalanceLinesQuery,
  BalancesNow,
  MoneyFlow,
  MoneyFlowQuery,
  TestFundsAdded,
} from "./schema.ts";
import { presentDay } from "./trend.ts";

const path = "/console/api/s/:subaccountId/balances";

export function balanceRoutes(api: Api, parts: BalanceParts & { seal: Seal }): void {
  api.get(
    path,
    { config: { may: "read" }, schema: { response: { 200: BalancesNow } } },
    async (request) => readBalances(parts, inSubaccount(request).subaccount.id),
  );

  listRoute(api, `${path}/lines`, {
    query: BalanceLinesQuery,
    row: BalanceLine,
    find: ({ subaccountId, query }) => readLines(parts, subaccountId, query),
  });

  api.get(
    `${path}/flow`,
    {
      config: { may: "read" },
      schema: { querystring: MoneyFlowQuery, response: { 200: MoneyFlow } },
    },
    async (request) => readFlow(parts, inSubaccount(request).subaccount.id, request.query),
  );

  actRoute(api, parts, `POST ${path}/test-funds`, addTestFundsAct, {
    response: TestFundsAdded,
    async answer(balance) {
      const { in_transit: clearing, ...rest } = await findBalance(parts.db, balance);
      return { currency: balance.currency, ...presentDay({ ...rest, clearing }) };
    },
  });
}
