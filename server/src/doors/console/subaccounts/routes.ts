// GET /console/api/subaccounts: finds subaccounts by words of the name or the beginning of an id, page by page
// GET /console/api/subaccounts/by-id: the names of subaccounts that a page shows

import type { Db } from "../../../platform/db/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { sees } from "../../../tenants/roles/index.ts";
import { findSubaccounts } from "../../../tenants/subaccounts/index.ts";
import { listRoute } from "../list-route.ts";
import type { WordIndexer } from "../search/word-indexer.ts";
import { findPage } from "./find.ts";
import { SubaccountIds, SubaccountLine, SubaccountPage, SubaccountQuery } from "./schema.ts";

type SubaccountListParts = { db: Db; words: WordIndexer };

export function subaccountListRoutes(api: Api, { db, words }: SubaccountListParts): void {
  listRoute(api, "/console/api/subaccounts", {
    query: SubaccountQuery,
    row: SubaccountLine,
    find({ access: { user }, query: { q: text = "", cursor }, size: limit }) {
      words.catchUpSubaccounts();
      return findPage(db, user.subaccountIds, { text, cursor, limit });
    },
  });

  // One that the user does not see is left out, like one that does not exist.
  api.get(
    "/console/api/subaccounts/by-id",
    {
      config: { may: "read" },
      schema: { querystring: SubaccountIds, response: { 200: SubaccountPage } },
    },
    async ({ access: { user }, query }) => {
      const ids = query.ids.toLowerCase().split(",");
      const seen = ids.filter((id) => sees(user, id));
      return { rows: await findSubaccounts(db, seen), next: null };
    },
  );
}
