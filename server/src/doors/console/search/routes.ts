// GET /console/api/s/<subaccount>/search, GET /console/api/search: search by id, name, reference

import Type from "typebox";
import type { Db } from "../../../platform/db/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { inSubaccount } from "../route.ts";
import { Hits, SearchQuery, SearchQueryInSubaccount } from "./schema.ts";
import { chooseReceivers, search, searchIdInAll, searchSubaccounts } from "./search.ts";
import { indexedSinceMs, type WordIndexer } from "./word-indexer.ts";

type SearchParts = { db: Db; words: WordIndexer };

export function searchRoutes(api: Api, { db, words }: SearchParts): void {
  api.get(
    "/console/api/s/:subaccountId/search",
    {
      config: { may: "read" },
      schema: {
        params: Type.Object({ subaccountId: Type.String() }),
        querystring: SearchQueryInSubaccount,
        response: { 200: Hits },
      },
    },
    async (request) => {
      const { subaccount, user } = inSubaccount(request);
      const { q, kind } = request.query;
      words.catchUpSubaccounts();
      const progress = await words.catchUp(subaccount.id);
      const wanted = { subaccountId: subaccount.id, text: q.trim(), progress };
      const words_since = indexedSinceMs(progress) ?? null;
      if (kind === "receiver") return { hits: await chooseReceivers(db, wanted), words_since };
      const [hits, subaccounts] = await Promise.all([
        search(db, wanted),
        searchSubaccounts(db, user.subaccountIds, q),
      ]);
      return { hits: [...hits, ...subaccounts], words_since };
    },
  );

  // Across subaccounts, only ids and names of subaccounts are searched.
  api.get(
    "/console/api/search",
    { config: { may: "read" }, schema: { querystring: SearchQuery, response: { 200: Hits } } },
    async ({ access: { user }, query: { q } }) => {
      words.catchUpSubaccounts();
      const subaccounts = await searchSubaccounts(db, user.subaccountIds, q);
      if (subaccounts.length > 0) return { hits: subaccounts, words_since: null };
      return { hits: await searchIdInAll(db, user.subaccountIds, q), words_since: null };
    },
  );
}
