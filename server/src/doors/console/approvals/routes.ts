// GET /console/api/approvals and /approvals/count: the approval queue
// POST /console/api/s/<id>/payouts/<id>/approve and /decline, POST /console/api/approvals/payouts/approve

import { isUuid } from "../../../platform/base/index.ts";
import { type Api, ById } from "../../../platform/http/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { sees } from "../../../tenants/roles/index.ts";
import { findSubaccounts } from "../../../tenants/subaccounts/index.ts";
import { DeclineReason } from "../bank-changes/schema.ts";
import { requireOpenSubaccount } from "../open-subaccount.ts";
import { type ConsoleAccess, inSubaccount } from "../route.ts";
import { approve, type DecideParts, decline } from "./decide.ts";
import { countApprovals, listApprovals } from "./queue.ts";
import {
  type Approval,
  ApprovalCount,
  ApprovalPage,
  ApprovalQuery,
  DecidedPayout,
  ManyDecided,
  ManyPayouts,
} from "./schema.ts";

export function approvalRoutes(api: Api, parts: DecideParts): void {
  const { db, seal } = parts;

  api.get(
    "/console/api/approvals",
    {
      config: { may: "approvals.read" },
      schema: { querystring: ApprovalQuery, response: { 200: ApprovalPage } },
    },
    async ({ access, query }) =>
      listApprovals(
        { db, seal },
        {
          kind: query.kind as Approval["kind"] | undefined,
          subaccountId: seenBy(access, query.subaccount_id),
          sort: query.sort,
          cursor: query.cursor,
          limit: Math.min(Number(query.limit ?? limits.consolePage), limits.consolePageMax),
          who: access.actor.who,
          user: access.user,
          nowMs: parts.clock(),
        },
      ),
  );

  api.get(
    "/console/api/approvals/count",
    { config: { may: "approvals.read" }, schema: { response: { 200: ApprovalCount } } },
    async ({ access }) => countApprovals(db, seenBy(access)),
  );

  api.post(
    "/console/api/s/:subaccountId/payouts/:id/approve",
    {
      config: { may: "payouts.approve", stepUp: true },
      schema: { params: ById, response: { 200: DecidedPayout } },
    },
    async (request) => {
      const access = requireOpenSubaccount(inSubaccount(request));
      const key = keyOf(access.subaccount.id, request.params.id);
      const stage = await approve(parts, approverOf(access), key);
      return { payout_id: key.id, status: "pending", stage };
    },
  );

  api.post(
    "/console/api/s/:subaccountId/payouts/:id/decline",
    {
      config: { may: "payouts.approve" },
      schema: { params: ById, body: DeclineReason, response: { 200: DecidedPayout } },
    },
    async (request) => {
      const access = inSubaccount(request);
      const key = keyOf(access.subaccount.id, request.params.id);
      await decline(parts, access.actor, key, request.body.reason);
      return { payout_id: key.id, status: "failed", stage: "cancelled" };
    },
  );

  api.post(
    "/console/api/approvals/payouts/approve",
    {
      config: { may: "payouts.approve", stepUp: true },
      schema: { body: ManyPayouts, response: { 200: ManyDecided } },
    },
    async ({ access, body }) => {
      const results: ManyDecided["results"] = [];
      const ids = [...new Set(body.items.map(({ subaccount_id }) => subaccount_id))];
      const found = await findSubaccounts(db, ids);
      // One act is about real money or about test money, never about both.
      const modes = found.filter(({ id }) => sees(access.user, id)).map(({ mode }) => mode);
      if (new Set(modes).size > 1) throw new Refusal("CONS415");
      const closed = new Set(found.filter((one) => one.is_closed).map(({ id }) => id));
      // Each by itself: a refused one does not stop the others.
      for (const { subaccount_id, payout_id } of body.items) {
        const said = { subaccount_id, payout_id };
        try {
          const id = seenBy(access, subaccount_id) as string;
          requireOpenSubaccount({ subaccount: { isClosed: closed.has(id) } });
          const { actor, role } = approverOf(access);
          const approver = { actor: { ...actor, subaccountId: id }, role };
          await approve(parts, approver, keyOf(id, payout_id));
          results.push({ ...said, outcome: "approved", code: null, message: null });
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          const [{ code, message }] = error.problems;
          results.push({ ...said, outcome: "refused", code, message });
        }
      }
      return { results };
    },
  );
}

function approverOf({ actor, user }: Pick<ConsoleAccess, "actor" | "user">) {
  return { actor, role: user.role };
}

function keyOf(subaccountId: string, id: string) {
  if (!isUuid(id)) throw new Refusal("PAYO101");
  return { subaccountId, id: id.toLowerCase() };
}

/** Undefined: all subaccounts, for a user who sees all of them. */
function seenBy({ user }: ConsoleAccess, asked?: string): string | undefined {
  const id = asked?.toLowerCase();
  if (!sees(user, id ?? "")) throw new Refusal("CONS105");
  return id;
}
