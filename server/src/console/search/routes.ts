// GET /console/api/s/<subaccount>/search, GET /console/api/search: search by id, name, reference

import Type from "typebox";
import type { Db } from "../../db/connect.ts";
import type { Api } from "../../http/route.ts";
import { inSubaccount } from "../route.ts";
import { Hits, SearchQuery } from "./schema.ts";
import { search, searchIdInAll, searchSubaccounts } from "./search.ts";

export function searchRoutes(api: Api, { db }: { db: Db }): void {
  api.get(
    "/console/api/s/:subaccountId/search",
    {
      config: { may: "read" },
      schema: {
        params: Type.Object({ subaccountId: Type.String() }),
        querystring: SearchQuery,
        response: { 200: Hits },
      },
    },
    async (request) => {
      const { subaccount, user } = inSubaccount(request);
      const { q } = request.query;
      const subaccounts = await searchSubaccounts(db, user.subaccountIds, q);
      return { hits: [...(await search(db, subaccount.id, q)), ...subaccounts] };
    },
  );

  // Across subaccounts, only ids and names of subaccounts are searched.
  api.get(
    "/console/api/search",
    { config: { may: "read" }, schema: { querystring: SearchQuery, response: { 200: Hits } } },
    async ({ access: { user }, query: { q } }) => {
      const subaccounts = await searchSubaccounts(db, user.subaccountIds, q);
      if (subaccounts.length > 0) return { hits: subaccounts };
      return { hits: await searchIdInAll(db, user.subaccountIds, q) };
    },
  );
}
