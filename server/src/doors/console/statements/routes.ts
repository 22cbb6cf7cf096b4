// /console/api/reconcile: where the money is, bank connections against the books, and closed months
// /console/api/reconcile/lines: statement lines, and what a user decides about them

import type { FastifyReply } from "fastify";
import { requireConnection } from "../../../banking/connections/index.ts";
import { noteException } from "../../../banking/statements/index.ts";
import { isUuid, type Mode } from "../../../platform/base/index.ts";
import { type Api, ById } from "../../../platform/http/index.ts";
import { type Code, Refusal } from "../../../platform/refusals/index.ts";
import { pageSizeOf } from "../../lists/index.ts";
import { actRoute } from "../act-route.ts";
import type { WriteParts } from "../write-parts.ts";
import { closeBankMonthByUser } from "./close.ts";
import { listClosingPage, readClosing } from "./closings.ts";
import { decideLines } from "./decide.ts";
import { listExceptionPage } from "./exceptions.ts";
import {
  findBankStatement,
  findLineDetail,
  listBankStatements,
  listLinesOfStatement,
  listOpenLinePage,
} from "./lines.ts";
import { listCompanyPage, listHolderPage, listMoney, listStandings } from "./money.ts";
import { takeOpeningByUser } from "./opening.ts";
import { describePosition, listTransitPage } from "./position.ts";
import type { ListedAccount } from "./queries.ts";
import {
  BankClosing,
  BankClosings,
  BankLineDetail,
  BankLines,
  BankMonthToClose,
  BankPositionDetail,
  BankStandings,
  BankStatement,
  BankStatements,
  ClosingOf,
  ClosingsQuery,
  CompanyLines,
  CompanyQuery,
  ExceptionLines,
  ExceptionsQuery,
  HolderLines,
  HolderQuery,
  LineReason,
  LinesForCompany,
  LinesInDoubt,
  LinesQuery,
  LinesToMatch,
  MoneyPictures,
  OpeningTaken,
  OpenLines,
  OpenLinesQuery,
  PositionQuery,
  StatementsQuery,
  TransitItems,
  TransitQuery,
} from "./schema.ts";

const base = "/console/api/reconcile";
const bank = `${base}/banks/:id`;
const reading = { may: "banks.read" } as const;
const deciding = { may: "banks.release", stepUp: true } as const;

export function statementRoutes(api: Api, parts: WriteParts): void {
  moneyRoutes(api, parts);
  positionRoutes(api, parts);
  lineRoutes(api, parts);
  exceptionRoutes(api, parts);
  closingRoutes(api, parts);
}

function moneyRoutes(api: Api, { db }: WriteParts): void {
  api.get(
    `${base}/money`,
    { config: reading, schema: { response: { 200: MoneyPictures } } },
    async () => ({ rows: await listMoney(db) }),
  );

  api.get(
    `${base}/balances`,
    { config: reading, schema: { querystring: HolderQuery, response: { 200: HolderLines } } },
    async ({ query }) =>
      listHolderPage(db, {
        mode: query.mode as Mode,
        currency: query.currency,
        account: query.of as ListedAccount,
        cursor: query.cursor,
        size: pageSizeOf(query),
      }),
  );

  api.get(
    `${base}/company`,
    { config: reading, schema: { querystring: CompanyQuery, response: { 200: CompanyLines } } },
    async ({ query }) =>
      listCompanyPage(db, {
        mode: query.mode as Mode,
        currency: query.currency,
        cursor: query.cursor,
        size: pageSizeOf(query),
      }),
  );
}

function positionRoutes(api: Api, parts: WriteParts): void {
  const { db, clock } = parts;
  const connectionOf = (params: { id: string }) => requireConnection(parts, connectionIdOf(params));

  api.get(
    `${base}/banks`,
    { config: reading, schema: { response: { 200: BankStandings } } },
    async () => ({ rows: await listStandings(db) }),
  );

  api.get(
    bank,
    {
      config: reading,
      schema: { params: ById, querystring: PositionQuery, response: { 200: BankPositionDetail } },
    },
    async ({ params, query: { month } }) =>
      describePosition(db, { connection: await connectionOf(params), month, nowMs: clock() }),
  );

  api.get(
    `${bank}/in-transit`,
    {
      config: reading,
      schema: { params: ById, querystring: TransitQuery, response: { 200: TransitItems } },
    },
    async ({ params, query }) =>
      listTransitPage(db, {
        connection: await connectionOf(params),
        month: query.month,
        nowMs: clock(),
        place: Number(query.cursor ?? 0),
        size: pageSizeOf(query),
      }),
  );

  api.post(
    `${bank}/opening`,
    { config: deciding, schema: { params: ById, response: { 200: OpeningTaken } } },
    async ({ access, params }) => {
      const id = connectionIdOf(params);
      return { request_id: (await takeOpeningByUser(parts, access.actor, id)) ?? null };
    },
  );
}

function lineRoutes(api: Api, parts: WriteParts): void {
  const { db } = parts;

  api.get(
    `${base}/statements`,
    {
      config: reading,
      schema: { querystring: StatementsQuery, response: { 200: BankStatements } },
    },
    async ({ query }) =>
      listBankStatements(db, {
        connectionId: query.connection_id,
        beforeId: query.cursor,
        size: pageSizeOf(query),
      }),
  );

  api.get(
    `${base}/statements/:id`,
    { config: reading, schema: { params: ById, response: { 200: BankStatement } } },
    async ({ params }) => findBankStatement(db, idOf(params, "CONS110")),
  );

  api.get(
    `${base}/statements/:id/lines`,
    {
      config: reading,
      schema: { params: ById, querystring: LinesQuery, response: { 200: BankLines } },
    },
    async ({ params, query }) =>
      listLinesOfStatement(db, {
        statementId: idOf(params, "CONS110"),
        afterNumber: Number(query.cursor ?? -1),
        size: pageSizeOf(query),
      }),
  );

  api.get(
    `${bank}/lines`,
    {
      config: reading,
      schema: { params: ById, querystring: OpenLinesQuery, response: { 200: OpenLines } },
    },
    async ({ params, query }) =>
      listOpenLinePage(db, {
        connectionId: connectionIdOf(params),
        afterId: query.cursor,
        size: pageSizeOf(query),
      }),
  );

  api.get(
    `${base}/lines/:id`,
    { config: reading, schema: { params: ById, response: { 200: BankLineDetail } } },
    async ({ params }) => findLineDetail(db, idOf(params, "BANK471")),
  );

  api.post(
    `${base}/lines/match`,
    { config: deciding, schema: { body: LinesToMatch } },
    async ({ access, body }, reply) => {
      const { line_ids, payout_ids = [], batch_ids = [], reason } = body;
      const targets = { payoutIds: lower(payout_ids), batchIds: lower(batch_ids) };
      const about = { lineIds: someIds(line_ids), reason };
      const requestId = await decideLines(parts, access.actor, about, { act: "match", ...targets });
      return requestId === undefined ? reply.code(204).send() : waiting(reply, requestId);
    },
  );

  api.post(
    `${base}/lines/company`,
    { config: deciding, schema: { body: LinesForCompany } },
    async ({ access, body: { line_ids, reason } }, reply) => {
      const about = { lineIds: someIds(line_ids), reason };
      const requestId = await decideLines(parts, access.actor, about, { act: "company" });
      return requestId === undefined ? reply.code(204).send() : waiting(reply, requestId);
    },
  );

  api.post(
    `${base}/lines/repetition`,
    { config: deciding, schema: { body: LinesInDoubt } },
    async ({ access, body: { line_ids, is_repeated, reason } }, reply) => {
      const about = { lineIds: someIds(line_ids), reason };
      const decision = { act: "repetition", isRepeated: is_repeated } as const;
      const requestId = await decideLines(parts, access.actor, about, decision);
      return requestId === undefined ? reply.code(204).send() : waiting(reply, requestId);
    },
  );

  api.post(
    `${base}/lines/:id/undo`,
    { config: deciding, schema: { params: ById, body: LineReason } },
    async ({ access, params, body: { reason } }, reply) => {
      const about = { lineIds: [idOf(params, "BANK471")] as const, reason };
      const requestId = await decideLines(parts, access.actor, about, { act: "undo" });
      return requestId === undefined ? reply.code(204).send() : waiting(reply, requestId);
    },
  );
}

function exceptionRoutes(api: Api, parts: WriteParts): void {
  api.get(
    `${base}/exceptions`,
    {
      config: reading,
      schema: { querystring: ExceptionsQuery, response: { 200: ExceptionLines } },
    },
    async ({ query }) =>
      listExceptionPage(parts, {
        connectionId: query.connection_id,
        nowMs: parts.clock(),
        place: Number(query.cursor ?? 0),
        size: pageSizeOf(query),
      }),
  );

  actRoute(api, parts, `POST ${base}/exceptions`, noteException);
}

function closingRoutes(api: Api, parts: WriteParts): void {
  const { db } = parts;

  api.get(
    `${base}/closings`,
    { config: reading, schema: { querystring: ClosingsQuery, response: { 200: BankClosings } } },
    async ({ query }) =>
      listClosingPage(db, {
        connectionId: query.connection_id,
        place: Number(query.cursor ?? 0),
        size: pageSizeOf(query),
      }),
  );

  api.post(
    `${bank}/close`,
    {
      config: { may: "months.close", stepUp: true },
      schema: { params: ById, body: BankMonthToClose, response: { 200: BankClosing } },
    },
    async ({ access, params, body: { month } }) =>
      closeBankMonthByUser(parts, access.actor, { connectionId: connectionIdOf(params), month }),
  );

  for (const kind of ["pdf", "csv"] as const) {
    api.get(
      `${bank}/closings/:month/${kind}`,
      { config: reading, schema: { params: ClosingOf } },
      async ({ params }, reply) => {
        const closing = { connectionId: connectionIdOf(params), month: params.month, kind };
        const { name, type, bytes } = await readClosing(db, closing);
        return (reply as FastifyReply)
          .headers({
            "content-type": type,
            "content-disposition": `attachment; filename="${name}"`,
          })
          .send(bytes);
      },
    );
  }
}

/** Nothing has changed yet: a second user has to confirm it. */
const waiting = (reply: unknown, requestId: string) =>
  (reply as FastifyReply).code(202).send({ request_id: requestId });

const lower = (ids: readonly string[]) => ids.map((id) => id.toLowerCase());
/** The schema demands one at least. */
const someIds = (ids: readonly string[]) => lower(ids) as [string, ...string[]];
const connectionIdOf = (params: { id: string }) => idOf(params, "BANK102");

function idOf({ id }: { id: string }, code: Code): string {
  if (!isUuid(id)) throw new Refusal(code);
  return id.toLowerCase();
}
