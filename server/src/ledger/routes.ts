// The routes GET /api/balance and GET /api/balance/entries: a subaccount's balances and its statement.

import Type from "typebox";
import type { Db } from "../db/connect.ts";
import { cutPage, readLimitOf } from "../db/page.ts";
import { wantsCsv } from "../http/content.ts";
import { type Api, codesOf, linkNextPage, success } from "../http/route.ts";
import { listBalances, listEntries, presentBalance } from "./queries.ts";
import { Balance, BalanceEntry, EntryFilter } from "./schema.ts";
import { presentEntry, toCsv } from "./statement.ts";

const tags = ["Balance"];
/** Above every possible number of an entry. */
const newest = 2n ** 62n;

export function ledgerRoutes(api: Api, { db }: { db: Db }): void {
  api.get(
    "/api/balance",
    {
      config: { failure: "get balance failed", scope: "read" },
      schema: {
        operationId: "getBalance",
        tags,
        summary: "Get the balances, by currency",
        response: { 200: success(Type.Array(Balance)) },
      },
    },
    async ({ caller }) => {
      const rows = await listBalances(db, caller.subaccountId);
      return { message: "get balance successful", payload: rows.map(presentBalance) };
    },
  );

  api.get(
    "/api/balance/entries",
    {
      config: {
        failure: "get balance entries failed",
        scope: "read",
        csv: true,
        refusals: [...codesOf(EntryFilter), "BALA106"],
      },
      schema: {
        operationId: "listBalanceEntries",
        tags,
        summary: "List the ledger entries of one currency",
        description:
          "Newest first, with the balance after each entry. The link header names the next " +
          "page. With `accept: text/csv` the response is CSV.",
        querystring: EntryFilter,
        response: { 200: success(Type.Array(BalanceEntry)) },
      },
    },
    async ({ caller, query, headers }, reply) => {
      const limit = readLimitOf(query);
      const found = await listEntries(db, {
        subaccountId: caller.subaccountId,
        currency: query.currency,
        before: query.cursor === undefined ? newest : BigInt(query.cursor),
        fromMs: Number(query.from ?? 0),
        toMs: Number(query.to ?? Number.MAX_SAFE_INTEGER),
        limit,
      });
      const { rows, next } = await cutPage(found, limit - 1, ({ number }) => number);
      linkNextPage(reply, "/api/balance/entries", query, next);
      const payload = rows.map(presentEntry);
      if (!wantsCsv(headers.accept)) return { message: "get balance entries successful", payload };
      return reply
        .type("text/csv; charset=utf-8")
        .serializer((text: unknown) => text as string)
        .send(toCsv(payload) as never);
    },
  );
}
