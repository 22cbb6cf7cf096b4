// /console/api/banks/suspense: what banks reported and no rule could apply, and what a user decides about it

import {
  fundBySuspenseAct,
  listSuspense,
  matchSuspenseAct,
  simpleSuspenseActs,
  splitSuspenseAct,
} from "../../../banking/answers/index.ts";
import { oldestId } from "../../../platform/base/index.ts";
import { type Api, ById } from "../../../platform/http/index.ts";
import { actRoute } from "../act-route.ts";
import { listRoute } from "../list-route.ts";
import { idIn } from "../route.ts";
import { listSuspenseOptions } from "../statements/match-options.ts";
import { MatchOptions, MatchQuery } from "../statements/schema.ts";
import type { WriteParts } from "../write-parts.ts";
import { SuspenseDetail, SuspenseLine, SuspenseQuery } from "./schema.ts";
import { findSuspenseDetail, presentSuspenseRows } from "./suspense.ts";

const base = "/console/api/banks/suspense";
const item = `${base}/:id`;

export function suspenseRoutes(api: Api, parts: WriteParts): void {
  const { db, clock } = parts;
  const reading = { may: "banks.read" } as const;

  listRoute(api, base, {
    ...reading,
    query: SuspenseQuery,
    row: SuspenseLine,
    find: ({ query: { state, cursor: afterId = oldestId }, limit }) =>
      listSuspense(db, { includesDecided: state === "all", afterId, limit }),
    present: (rows) => presentSuspenseRows(db, rows, clock()),
  });

  api.get(
    item,
    { config: reading, schema: { params: ById, response: { 200: SuspenseDetail } } },
    async ({ params }) => findSuspenseDetail(db, idIn(params, "BANK411"), clock()),
  );

  api.get(
    `${item}/options`,
    {
      config: reading,
      schema: { params: ById, querystring: MatchQuery, response: { 200: MatchOptions } },
    },
    async ({ params, query }) => ({
      rows: await listSuspenseOptions(db, idIn(params, "BANK411"), query),
    }),
  );

  actRoute(api, parts, `POST ${item}/match`, matchSuspenseAct);
  actRoute(api, parts, `POST ${item}/split`, splitSuspenseAct);
  actRoute(api, parts, `POST ${item}/fund`, fundBySuspenseAct);
  for (const [last, act] of Object.entries(simpleSuspenseActs)) {
    actRoute(api, parts, `POST ${item}/${last}`, act);
  }
}
