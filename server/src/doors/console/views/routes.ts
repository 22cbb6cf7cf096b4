// GET, PUT and DELETE /console/api/views: the views of the console's lists that the signed-in user has saved

import type { Db } from "../../../platform/db/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { deleteView, listViews, saveView } from "../../../tenants/user-records/index.ts";
import { consoleListLimits } from "../../lists/index.ts";
import { NewView, SavedViews, ViewKey, ViewsQuery, viewParameters } from "./schema.ts";

const path = "/console/api/views";

export function viewRoutes(api: Api, { db }: { db: Db }): void {
  api.get(
    path,
    { config: { may: "read" }, schema: { querystring: ViewsQuery, response: { 200: SavedViews } } },
    async ({ access: { user }, query: { list } }) => ({
      rows: await listViews(db, { userId: user.id, list }),
    }),
  );

  api.put(
    path,
    { config: { may: "read" }, schema: { body: NewView, response: { 200: SavedViews } } },
    async ({ access: { user }, body }) => {
      const { list, name } = body;
      const kept: readonly string[] = viewParameters[list];
      const search = Object.fromEntries(
        Object.entries(body.search as Record<string, string>).filter(([one]) => kept.includes(one)),
      );
      const most = consoleListLimits.viewsOfListMax;
      const isSaved = await saveView(db, { userId: user.id, list, name }, { search, most });
      if (!isSaved) throw new Refusal("CONS809");
      return { rows: await listViews(db, { userId: user.id, list }) };
    },
  );

  api.delete(
    path,
    { config: { may: "read" }, schema: { body: ViewKey, response: { 200: SavedViews } } },
    async ({ access: { user }, body: { list, name } }) => {
      if (!(await deleteView(db, { userId: user.id, list, name }))) throw new Refusal("CONS110");
      return { rows: await listViews(db, { userId: user.id, list }) };
    },
  );
}
