// GET /console/api/approvals and /approvals/count: the approval queue
// POST /console/api/s/<id>/payouts/<id>/approve and /decline, the same of /change-requests/<id>, POST /console/api/approvals/payouts/approve

import {
  approvePayoutAct,
  approveRequestAct,
  declinePayoutAct,
  declineRequestAct,
  type PayoutActParts,
  type RequestParts,
} from "../../../money/payouts/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { sees } from "../../../tenants/roles/index.ts";
import { findSubaccounts } from "../../../tenants/subaccounts/index.ts";
import { actRoute } from "../act-route.ts";
import { listRoute } from "../list-route.ts";
import { requireOpenSubaccount } from "../open-subaccount.ts";
import type { ConsoleAccess } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import { countApprovals, listApprovals } from "./queue.ts";
import {
  Approval,
  ApprovalCount,
  ApprovalPage,
  ApprovalQuery,
  ManyDecided,
  ManyPayouts,
} from "./schema.ts";

export function approvalRoutes(api: Api, parts: WriteParts & PayoutActParts & RequestParts): void {
  const { db } = parts;

  listRoute(api, "/console/api/approvals", {
    may: "approvals.read",
    query: ApprovalQuery,
    row: Approval,
    page: ApprovalPage,
    sizeMax: limits.consolePageMax,
    find: ({ access, query: { kind, sort, cursor, subaccount_id }, size: limit }) =>
      listApprovals(parts, {
        kind,
        subaccountId: seenBy(access, subaccount_id),
        sort,
        cursor,
        limit,
        who: access.actor.who,
        user: access.user,
      }),
  });

  api.get(
    "/console/api/approvals/count",
    { config: { may: "approvals.read" }, schema: { response: { 200: ApprovalCount } } },
    async ({ access }) => countApprovals(db, { subaccountId: seenBy(access), user: access.user }),
  );

  const onePayout = "/console/api/s/:subaccountId/payouts/:id";
  actRoute(api, parts, `POST ${onePayout}/approve`, approvePayoutAct);
  actRoute(api, parts, `POST ${onePayout}/decline`, declinePayoutAct);
  const oneRequest = "/console/api/s/:subaccountId/change-requests/:id";
  actRoute(api, parts, `POST ${oneRequest}/approve`, approveRequestAct);
  actRoute(api, parts, `POST ${oneRequest}/decline`, declineRequestAct);

  api.post(
    "/console/api/approvals/payouts/approve",
    {
      config: { may: "payouts.approve", stepUp: true, tokens: "logins" },
      schema: { body: ManyPayouts, response: { 200: ManyDecided } },
    },
    async ({ access, body }) => {
      const results: ManyDecided["results"] = [];
      const ids = [...new Set(body.items.map(({ subaccount_id }) => subaccount_id))];
      const found = await findSubaccounts(db, ids);
      // One act is about real money or about test money, never about both.
      const modes = found.filter(({ id }) => sees(access.user, id)).map(({ mode }) => mode);
      if (new Set(modes).size > 1) throw new Refusal("CONS415");
      // Each by itself: a refused one does not stop the others.
      for (const { subaccount_id, payout_id } of body.items) {
        const said = { subaccount_id, payout_id };
        try {
          const id = seenBy(access, subaccount_id) as string;
          const subaccount = found.find((one) => one.id === id);
          if (!subaccount) throw new Refusal("PAYO101");
          const { mode, is_closed: isClosed } = subaccount;
          const by = {
            ...requireOpenSubaccount({ ...access, subaccount: { id, mode, isClosed } }),
            actor: { ...access.actor, subaccountId: id },
          };
          await approvePayoutAct.perform(parts, by, { id: payout_id.toLowerCase() });
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

/** Undefined: all subaccounts, for a user who sees all of them. */
function seenBy({ user }: ConsoleAccess, asked?: string): string | undefined {
  const id = asked?.toLowerCase();
  if (!sees(user, id ?? "")) throw new Refusal("CONS105");
  return id;
}
