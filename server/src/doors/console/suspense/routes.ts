// /console/api/banks/suspense: what banks reported and no rule could apply, and what a user decides about it

import { isUuid } from "../../../platform/base/index.ts";
import { type Api, ById } from "../../../platform/http/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { pageSizeOf } from "../../lists/index.ts";
import type { WriteParts } from "../write-parts.ts";
import { decideSuspense } from "./decide.ts";
import {
  DecidedSuspense,
  SuspenseDetail,
  SuspenseFunding,
  SuspenseMatch,
  SuspensePage,
  SuspenseQuery,
  SuspenseReasonGiven,
  SuspenseSplit,
} from "./schema.ts";
import { findSuspenseDetail, listSuspensePage } from "./suspense.ts";

const base = "/console/api/banks/suspense";
const item = `${base}/:id`;

export function suspenseRoutes(api: Api, parts: WriteParts): void {
  const { db } = parts;
  const reading = { may: "banks.read" } as const;
  const deciding = { may: "banks.release", stepUp: true } as const;

  api.get(
    base,
    { config: reading, schema: { querystring: SuspenseQuery, response: { 200: SuspensePage } } },
    async ({ query }) =>
      listSuspensePage(db, {
        includesDecided: query.state === "all",
        afterId: query.cursor,
        size: pageSizeOf(query),
      }),
  );

  api.get(
    item,
    { config: reading, schema: { params: ById, response: { 200: SuspenseDetail } } },
    async ({ params }) => findSuspenseDetail(db, idOf(params)),
  );

  api.post(
    `${item}/match`,
    {
      config: deciding,
      schema: { params: ById, body: SuspenseMatch, response: { 200: DecidedSuspense } },
    },
    async ({ access, params, body: { reason, payout_id } }) => {
      const decision = { act: "match", payoutId: payout_id.toLowerCase() } as const;
      const about = { id: idOf(params), reason };
      return decideSuspense(parts, access.actor, about, decision);
    },
  );

  api.post(
    `${item}/split`,
    {
      config: deciding,
      schema: { params: ById, body: SuspenseSplit, response: { 200: DecidedSuspense } },
    },
    async ({ access, params, body: { reason, amounts } }) => {
      const about = { id: idOf(params), reason };
      const decision = { act: "split", amounts } as const;
      return decideSuspense(parts, access.actor, about, decision);
    },
  );

  api.post(
    `${item}/fund`,
    {
      config: deciding,
      schema: { params: ById, body: SuspenseFunding, response: { 200: DecidedSuspense } },
    },
    async ({ access, params, body: { reason, subaccount_id } }) => {
      const about = { id: idOf(params), reason };
      const decision = { act: "fund", subaccountId: subaccount_id.toLowerCase() } as const;
      return decideSuspense(parts, access.actor, about, decision);
    },
  );

  for (const act of ["company", "return", "close", "undo"] as const) {
    api.post(
      `${item}/${act}`,
      {
        config: deciding,
        schema: { params: ById, body: SuspenseReasonGiven, response: { 200: DecidedSuspense } },
      },
      async ({ access, params, body: { reason } }) => {
        const about = { id: idOf(params), reason };
        return decideSuspense(parts, access.actor, about, { act });
      },
    );
  }
}

function idOf({ id }: { id: string }): string {
  if (!isUuid(id)) throw new Refusal("BANK411");
  return id.toLowerCase();
}
