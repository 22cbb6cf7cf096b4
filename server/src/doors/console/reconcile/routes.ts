// /console/api/s/:subaccountId/reconcile and /statement: the reconciliation, journal and statement, and closing a month

import {
  accountStatementCsv,
  accountStatementPdf,
  openStatement,
  statementFileName,
} from "../../../money/ledger/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { actRoute } from "../act-route.ts";
import { inSubaccount, sendCsv, sendPdf } from "../route.ts";
import { closeMonthAct } from "./close.ts";
import { journalCsv } from "./journal.ts";
import { readPeriod } from "./period.ts";
import { type ReconcileParts, reconcile } from "./reconcile.ts";
import { ReconcileQuery, Reconciliation, StatementQuery } from "./schema.ts";

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
      const name = statementFileName(currency, period).replace("statement", "journal");
      return sendCsv(reply, name, await journalCsv(db, { subaccountId, currency }, period));
    },
  );

  const openOf = async (
    request: Parameters<typeof inSubaccount>[0] & { query: StatementQuery },
  ) => {
    const { id: subaccountId } = inSubaccount(request).subaccount;
    const { currency } = request.query;
    const period = readPeriod(request.query, clock());
    // The statement is right without the roll-ups, but takes longer.
    await parts.rollups.catchUp(subaccountId);
    const name = statementFileName(currency, period);
    return { name, statement: await openStatement(db, { subaccountId, currency }, period) };
  };

  api.get(
    "/console/api/s/:subaccountId/statement.csv",
    { config: { may: "export" }, schema: { querystring: StatementQuery } },
    async (request, reply) => {
      const { name, statement } = await openOf(request);
      return sendCsv(reply, name, accountStatementCsv(db, statement));
    },
  );

  api.get(
    "/console/api/s/:subaccountId/statement.pdf",
    { config: { may: "export" }, schema: { querystring: StatementQuery } },
    async (request, reply) => {
      const { name, statement } = await openOf(request);
      return sendPdf(reply, name, await accountStatementPdf(db, statement, clock()));
    },
  );

  actRoute(api, parts, "POST /console/api/s/:subaccountId/reconcile/close", closeMonthAct);
}
