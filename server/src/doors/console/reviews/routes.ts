// /console/api/reviews: the review queue, one identity check, and decisions about it

import Type from "typebox";
import type { ReceiverKey, States } from "../../../people/receivers/index.ts";
import {
  approveIdentity,
  askForMore,
  claimReview,
  rejectIdentity,
  releaseReview,
  skipReview,
} from "../../../people/reviews/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import {
  Claimed,
  codedStates,
  countReviews,
  Decided,
  ReviewCase,
  ReviewLine,
  ReviewsCount,
  ReviewsFilter,
  readQueue,
} from "../../review-list/index.ts";
import { actRoute } from "../act-route.ts";
import { listRoute } from "../list-route.ts";
import { idIn, inSubaccount, type SubaccountAccess } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import { readCase } from "./case.ts";

const OfCase = Type.Object({ subaccountId: Type.String(), id: Type.String() });
const reading = { may: "reviews.read" } as const;
const path = "/console/api/reviews/:subaccountId/:id";

export function reviewRoutes(api: Api, parts: WriteParts): void {
  const { db, clock } = parts;

  listRoute(api, "/console/api/reviews", {
    ...reading,
    query: ReviewsFilter,
    row: ReviewLine,
    find: ({ access: { user }, query }) => readQueue(db, query, reviewerOf(user), clock()),
  });

  api.get(
    "/console/api/reviews/count",
    { config: reading, schema: { response: { 200: ReviewsCount } } },
    async ({ access: { user } }) => countReviews(db, reviewerOf(user)),
  );

  api.get(
    path,
    { config: reading, schema: { params: OfCase, response: { 200: ReviewCase } } },
    async (request) => {
      const access = inSubaccount(request);
      const reading = { userId: access.user.id, who: access.actor.who, nowMs: clock() };
      const found = await readCase(parts, keyOf(access, request.params), reading);
      if (!found) throw new Refusal("CONS110");
      return found;
    },
  );

  const claimed = { response: Claimed };
  actRoute(api, parts, `POST ${path}/claim`, claimReview, {
    ...claimed,
    answer: ({ who, until_ms }) => ({ claim: { who, is_mine: true, until: Number(until_ms) } }),
  });
  const left = { ...claimed, answer: () => ({ claim: null }) };
  actRoute(api, parts, `POST ${path}/release`, releaseReview, left);
  actRoute(api, parts, `POST ${path}/skip`, skipReview, left);

  const decided = {
    response: Decided,
    answer: ({ isDecided, ...states }: States & { isDecided: boolean }) => ({
      is_decided: isDecided,
      ...codedStates(states),
    }),
  };
  actRoute(api, parts, `POST ${path}/approve`, approveIdentity, decided);
  actRoute(api, parts, `POST ${path}/reject`, rejectIdentity, decided);
  actRoute(api, parts, `POST ${path}/need-more`, askForMore, decided);
}

function keyOf({ subaccount }: SubaccountAccess, params: { id: string }): ReceiverKey {
  return { subaccountId: subaccount.id, id: idIn(params) };
}

/** Reviewers see all subaccounts. */
function reviewerOf({ id }: { id: string }) {
  return { userId: id, subaccountId: undefined };
}
