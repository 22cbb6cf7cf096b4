// GET, PUT and DELETE /console/api/views: the views of the console's lists that the signed-in user has saved

import type { Api } from "../../../platform/http/index.ts";
import { listViews } from "../../../tenants/user-records/index.ts";
import { discardView, keepView } from "../../../tenants/users/index.ts";
import { actRoute } from "../act-route.ts";
import type { SubaccountAccess } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import { SavedViews, ViewsQuery } from "./schema.ts";

const path = "/console/api/views";

export function viewRoutes(api: Api, parts: WriteParts): void {
  const { db } = parts;
  api.get(
    path,
    { config: { may: "read" }, schema: { querystring: ViewsQuery, response: { 200: SavedViews } } },
    async ({ access: { user }, query: { list } }) => ({
      rows: await listViews(db, { userId: user.id, list }),
    }),
  );

  const showList = {
    response: SavedViews,
    answer: async ({ list }: { list: string }, { user }: SubaccountAccess) => ({
      rows: await listViews(db, { userId: user.id, list }),
    }),
  };
  actRoute(api, parts, `PUT ${path}`, keepView, showList);
  actRoute(api, parts, `DELETE ${path}`, discardView, showList);
}
