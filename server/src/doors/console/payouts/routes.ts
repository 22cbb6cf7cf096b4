// /console/api/s/:subaccountId/payouts: the list and its CSV, one payout with its timeline, and what a user may do

import Type from "typebox";
import { recallPayout, recordRecallOutcomeAct } from "../../../banking/answers/index.ts";
import { listBalances, presentBalance } from "../../../money/ledger/index.ts";
import {
  cancelPayoutAct,
  createPayoutAct,
  type MakeParts,
  PayoutToPreview,
  resolvePayoutAct,
  retryPayoutAct,
  toPayoutRequest,
} from "../../../money/payouts/index.ts";
import type { Clock } from "../../../platform/base/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { withoutName } from "../../../tenants/audit/index.ts";
import { may } from "../../../tenants/roles/index.ts";
import { listLatestEvents } from "../../../webhooks/events/index.ts";
import { actRoute, actRouteForEach } from "../act-route.ts";
import { listRoute } from "../list-route.ts";
import { requireOpenSubaccount } from "../open-subaccount.ts";
import type { Rollups } from "../rollups/catch-up.ts";
import { type ConsoleAccess, consoleCallerOf, idIn, inSubaccount, sendPdf } from "../route.ts";
import { findBoard } from "./board.ts";
import { findPayoutDetail } from "./detail.ts";
import { countByStatus, listPayoutPage, sumFiltered } from "./list.ts";
import { toBlocked, toPayee } from "./payee.ts";
import { findPayee, findPayeeStates } from "./payee-queries.ts";
import { payoutCsvColumns, presentPayoutRow, toCsvLine } from "./present.ts";
import { previewForReview } from "./preview.ts";
import { payoutReceipt } from "./receipt.ts";
import {
  BalanceList,
  BlockedPayees,
  BoardQuery,
  Payee,
  PayeeIds,
  PayoutBoard,
  PayoutCounts,
  PayoutDetail,
  PayoutExportQuery,
  PayoutLine,
  PayoutLines,
  PayoutPreview,
  PayoutQuery as PayoutQuerySchema,
  PayoutSums,
} from "./schema.ts";

export type ConsolePayoutParts = MakeParts & { db: Db; clock: Clock; rollups: Rollups };

const base = "/console/api/s/:subaccountId/payouts";
const one = Type.Object({ subaccountId: Type.String(), id: Type.String() });

export function consolePayoutRoutes(api: Api, parts: ConsolePayoutParts): void {
  const { db } = parts;

  listRoute(api, base, {
    query: PayoutQuerySchema,
    row: PayoutLine,
    page: PayoutLines,
    find: ({ subaccountId, query, size: limit }) =>
      listPayoutPage(db, subaccountId, { query, limit }),
    async present(rows, { access, subaccountId }) {
      const asked = rows.map(({ id, created_at_ms, updated_at_ms }) => ({
        id,
        createdAtMs: Number(created_at_ms),
        updatedAtMs: Number(updated_at_ms),
      }));
      const events = await listLatestEvents(db, subaccountId, asked);
      return rows.map((row) => presentPayoutRow(named(row, access.user), events.get(row.id)));
    },
    csv: {
      name: "payouts",
      query: PayoutExportQuery,
      columns: payoutCsvColumns,
      cellsOfFound: (row, { access }) => toCsvLine(named(row, access.user)),
    },
  });

  api.get(
    `${base}/counts`,
    { config: { may: "read" }, schema: { response: { 200: PayoutCounts } } },
    async (request) => countByStatus(db, inSubaccount(request).subaccount.id),
  );

  api.get(
    `${base}/board`,
    {
      config: { may: "read" },
      schema: { querystring: BoardQuery, response: { 200: PayoutBoard } },
    },
    async (request) => findBoard(parts, inSubaccount(request).subaccount.id, request.query),
  );

  api.get(
    `${base}/sum`,
    {
      config: { may: "read" },
      schema: { querystring: PayoutExportQuery, response: { 200: PayoutSums } },
    },
    async (request) => sumFiltered(db, inSubaccount(request).subaccount.id, request.query),
  );

  api.get(
    `${base}/balances`,
    { config: { may: "read" }, schema: { response: { 200: BalanceList } } },
    async (request) => {
      const { subaccount } = inSubaccount(request);
      const rows = await listBalances(db, subaccount.id);
      const is_bank_connected = parts.rails.hasRail(subaccount.mode);
      return { rows: rows.map(presentBalance), is_bank_connected };
    },
  );

  api.get(
    `${base}/payees`,
    {
      config: { may: "read" },
      schema: { querystring: PayeeIds, response: { 200: BlockedPayees } },
    },
    async (request) => {
      const subaccountId = inSubaccount(request).subaccount.id;
      const ids = request.query.ids.toLowerCase().split(",");
      return { rows: (await findPayeeStates(db, { subaccountId, ids })).map(toBlocked) };
    },
  );

  api.get(
    `${base}/payees/:id`,
    { config: { may: "read" }, schema: { params: one, response: { 200: Payee } } },
    async (request) => {
      const id = idIn(request.params);
      const subaccountId = inSubaccount(request).subaccount.id;
      const [first, ...rest] = await findPayee(db, { subaccountId, id });
      if (!first) throw new Refusal("CONS110");
      return toPayee(id, [first, ...rest]);
    },
  );

  api.get(
    `${base}/:id`,
    { config: { may: "read" }, schema: { params: one, response: { 200: PayoutDetail } } },
    async (request) => {
      const { subaccount, user } = inSubaccount(request);
      const key = { subaccountId: subaccount.id, id: idIn(request.params) };
      const readsAudit = may(user, "audit.read");
      const seeing = { readsAudit, showsUsers: readsAudit };
      const detail = await findPayoutDetail(parts, key, seeing);
      if (!detail) throw new Refusal("CONS110");
      return detail;
    },
  );

  api.get(
    `${base}/:id/receipt.pdf`,
    { config: { may: "export" }, schema: { params: one } },
    async (request, reply) => {
      const id = idIn(request.params);
      const key = { subaccountId: inSubaccount(request).subaccount.id, id };
      return sendPdf(reply, `receipt-${id}`, await payoutReceipt(db, key));
    },
  );

  actRoute(api, parts, `POST ${base}`, createPayoutAct);

  api.post(
    `${base}/preview`,
    {
      config: { may: "payouts.create" },
      schema: { body: PayoutToPreview, response: { 200: PayoutPreview } },
    },
    async (request) => {
      const caller = consoleCallerOf(requireOpenSubaccount(inSubaccount(request)));
      return previewForReview(parts, caller, toPayoutRequest(request.body), parts.clock());
    },
  );

  actRoute(api, parts, `POST ${base}/:id/retry`, retryPayoutAct);
  actRouteForEach(api, parts, `POST ${base}/many/retry`, retryPayoutAct);
  actRoute(api, parts, `POST ${base}/:id/cancel`, cancelPayoutAct);
  actRouteForEach(api, parts, `POST ${base}/many/cancel`, cancelPayoutAct);
  actRoute(api, parts, `POST ${base}/:id/resolve`, resolvePayoutAct);
  actRoute(api, parts, `POST ${base}/:id/recall`, recallPayout);
  actRoute(api, parts, `POST ${base}/:id/recall/outcome`, recordRecallOutcomeAct);
}

/** A developer sees that a user did it, but not which one. */
function named<Row extends { created_by: string }>(row: Row, user: ConsoleAccess["user"]): Row {
  if (may(user, "audit.read")) return row;
  return { ...row, created_by: withoutName(row.created_by) };
}
