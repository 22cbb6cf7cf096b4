// GET /console/api/s/<subaccount>/search, GET /console/api/search: what somebody looks for

import Type from "typebox";
import type { Db } from "../../db/connect.ts";
import type { Api } from "../../http/api.ts";
import { inSubaccount } from "../../http/console-api.ts";
import { limits } from "../../limits.ts";
import { listSubaccounts } from "../../subaccounts/queries.ts";
import { Hits, SearchQuery } from "./schema.ts";
import { search, searchId } from "./search.ts";

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
    async (request) => ({
      hits: await search(db, inSubaccount(request).subaccount.id, request.query.q),
    }),
  );

  // Over all that the person sees, by id alone: all else is looked for within one.
  api.get(
    "/console/api/search",
    { config: { may: "read" }, schema: { querystring: SearchQuery, response: { 200: Hits } } },
    async ({ asker: { person }, query }) => {
      const seen =
        person.subaccountIds ??
        (await listSubaccounts(db)).map(({ subaccount_id }) => subaccount_id);
      return { hits: await searchId(db, seen.slice(0, limits.searchSubaccountsMax), query.q) };
    },
  );
}
