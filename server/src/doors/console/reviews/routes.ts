// /console/api/reviews: the review queue, one identity check, and decisions about it

import Type from "typebox";
import type { ReceiverKey } from "../../../people/receivers/index.ts";
import { isUuid } from "../../../platform/base/index.ts";
import { NoFields } from "../../../platform/fields/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { isProven } from "../../../tenants/roles/index.ts";
import {
  Approve,
  Claimed,
  codedStates,
  countReviews,
  Decided,
  NeedMore,
  Reject,
  type RejectReason,
  ReviewCase,
  ReviewsCount,
  ReviewsFilter,
  ReviewsPage,
  readQueue,
  rejectReasons,
} from "../../review-list/index.ts";
import { inSubaccount, type SubaccountAccess } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import { readCase } from "./case.ts";
import { claimCase, leaveCase } from "./claim.ts";
import { decideCase, type ReviewDecision } from "./decide.ts";

const OfCase = Type.Object({ subaccountId: Type.String(), receiverId: Type.String() });
const config = { may: "receivers.review" } as const;
const reading = { may: "reviews.read" } as const;
const path = "/console/api/reviews/:subaccountId/:receiverId";

export function reviewRoutes(api: Api, parts: WriteParts): void {
  const { db, clock } = parts;

  api.get(
    "/console/api/reviews",
    { config: reading, schema: { querystring: ReviewsFilter, response: { 200: ReviewsPage } } },
    async ({ access: { user }, query }) => readQueue(db, query, reviewerOf(user), clock()),
  );

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

  api.post(
    `${path}/claim`,
    { config, schema: { params: OfCase, body: NoFields, response: { 200: Claimed } } },
    async (request) => {
      const access = inSubaccount(request);
      const key = keyOf(access, request.params);
      const { who, until_ms } = await claimCase(parts, key, access.actor);
      return { claim: { who, is_mine: true, until: Number(until_ms) } };
    },
  );

  for (const how of ["release", "skip"] as const) {
    api.post(
      `${path}/${how}`,
      { config, schema: { params: OfCase, body: NoFields, response: { 200: Claimed } } },
      async (request) => {
        const access = inSubaccount(request);
        await leaveCase(parts, keyOf(access, request.params), how, access.actor);
        return { claim: null };
      },
    );
  }

  api.post(
    `${path}/approve`,
    { config, schema: { params: OfCase, body: Approve, response: { 200: Decided } } },
    async (request) => {
      const { version, reason } = request.body;
      return decide(inSubaccount(request), request.params, {
        action: "approve",
        verdict: { verdict: "approve" },
        reason,
        version,
        label: undefined,
      });
    },
  );

  api.post(
    `${path}/reject`,
    { config, schema: { params: OfCase, body: Reject, response: { 200: Decided } } },
    async (request) => {
      const { version, reason_code, note, final } = request.body;
      return decide(inSubaccount(request), request.params, {
        action: "reject",
        verdict: { verdict: "reject", final },
        version,
        label: reason_code,
        reason: `${rejectReasons[reason_code as RejectReason]}: ${note}`,
      });
    },
  );

  api.post(
    `${path}/need-more`,
    { config, schema: { params: OfCase, body: NeedMore, response: { 200: Decided } } },
    async (request) => {
      const { version, note } = request.body;
      return decide(inSubaccount(request), request.params, {
        action: "need-more",
        verdict: { verdict: "reject", final: false },
        reason: note,
        version,
        label: "need_more",
      });
    },
  );

  async function decide(
    access: SubaccountAccess,
    params: { receiverId: string },
    ruling: ReviewDecision,
  ) {
    const { isDecided, ...states } = await decideCase(
      parts,
      keyOf(access, params),
      ruling,
      access.actor,
      isProven(access.session, clock()),
    );
    return { is_decided: isDecided, ...codedStates(states) };
  }
}

function keyOf({ subaccount }: SubaccountAccess, params: { receiverId: string }): ReceiverKey {
  if (!isUuid(params.receiverId)) throw new Refusal("CONS110");
  return { subaccountId: subaccount.id, id: params.receiverId.toLowerCase() };
}

/** Reviewers see all subaccounts. */
function reviewerOf({ id }: { id: string }) {
  return { userId: id, subaccountId: undefined };
}
