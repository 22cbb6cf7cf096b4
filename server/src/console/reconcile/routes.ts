// /console/api/s/:subaccountId/reconcile: the reconciliation, its statement, and closing a month

import type { Api } from "../../http/route.ts";
import { Refusal } from "../../refusals/refusals.ts";
import type { Seal } from "../../seal.ts";
import { inSubaccount, sendCsv } from "../route.ts";
import { closeMonth } from "./close.ts";
import { readPeriod } from "./period.ts";
import { type ReconcileParts, reconcile } from "./reconcile.ts";
import {
  ClosedAnswer,
  MonthToClose,
  ReconcileQuery,
  Reconciliation,
  StatementQuery,
} from "./schema.ts";
import { statementCsv } from "./statement.ts";

export function reconcileRoutes(api: Api, parts: ReconcileParts & { seal: Seal }): void {
  const { db, clock } = parts;

  api.get(
    "/console/api/s/:subaccountId/reconcile",
    {
      config: { may: "read" },
      schema: { querystring: ReconcileQuery, response: { 200: Reconciliation } },
    },
    (request) => {
      const { currency } = request.query;
      const period = readPeriod(request.query, clock());
      return reconcile(parts, {
        subaccountId: inSubaccount(request).subaccount.id,
        currency,
        period,
      });
    },
  );

  api.get(
    "/console/api/s/:subaccountId/reconcile.csv",
    { config: { may: "export" }, schema: { querystring: StatementQuery } },
    async (request, reply) => {
      const { currency } = request.query;
      const { id: subaccountId } = inSubaccount(request).subaccount;
      const period = readPeriod(request.query, clock());
      if (!(await parts.rollups.catchUp(subaccountId))) throw new Refusal("CONS805");
      const days = [period.fromMs, period.toMs - 1].map((ms) =>
        new Date(ms).toISOString().slice(0, 10),
      );
      const name = `statement-${currency}-${period.month ?? days.join("-to-")}`;
      return sendCsv(reply, name, await statementCsv(db, { subaccountId, currency }, period));
    },
  );

  api.post(
    "/console/api/s/:subaccountId/reconcile/close",
    {
      config: { may: "months.close", stepUp: true },
      schema: { body: MonthToClose, response: { 200: ClosedAnswer } },
    },
    async (request) => {
      const { actor, subaccount } = inSubaccount(request);
      const { month, currency } = request.body;
      const {
        closing: balance,
        closed_at_ms,
        closed_by,
      } = await closeMonth(parts, actor, {
        month,
        currency,
        subaccountId: subaccount.id,
      });
      const closed = { at: Number(closed_at_ms), by: closed_by };
      return { month, currency, closing: Number(balance), closed };
    },
  );
}
