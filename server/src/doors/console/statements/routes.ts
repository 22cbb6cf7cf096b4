// /console/api/reconcile: where the money is, bank connections against the books, and closed months
// /console/api/reconcile/lines: statement lines, and what a user decides about them

import type { FastifyReply } from "fastify";
import { requireConnection } from "../../../banking/connections/index.ts";
import {
  closeBankMonthAct,
  decideStatementRepetition,
  giveStatementLinesToCompany,
  matchStatementLines,
  noteException,
  takeOpening,
  undoStatementLine,
} from "../../../banking/statements/index.ts";
import { isUuid, type Mode } from "../../../platform/base/index.ts";
import { type Api, ById } from "../../../platform/http/index.ts";
import { type Code, Refusal } from "../../../platform/refusals/index.ts";
import { pageSizeOf } from "../../lists/index.ts";
import { actRoute } from "../act-route.ts";
import type { WriteParts } from "../write-parts.ts";
import { listClosingPage, presentClosing, readClosing } from "./closings.ts";
import { listExceptionPage } from "./exceptions.ts";
import {
  findBankStatement,
  findLineDetail,
  listBankStatements,
  listLinesOfStatement,
  listOpenLinePage,
} from "./lines.ts";
import { listCompanyPage, listHolderPage, listMoney, listStandings } from "./money.ts";
import { describePosition, listTransitPage } from "./position.ts";
import type { ListedAccount } from "./queries.ts";
import {
  BankClosing,
  BankClosings,
  BankLineDetail,
  BankLines,
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
  LinesQuery,
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

  actRoute(api, parts, `POST ${bank}/opening`, takeOpening, {
    response: OpeningTaken,
    answer: ({ request_id }) => ({ request_id }),
  });
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

  const carried = { send: sendDecided };
  actRoute(api, parts, `POST ${base}/lines/match`, matchStatementLines, carried);
  actRoute(api, parts, `POST ${base}/lines/company`, giveStatementLinesToCompany, carried);
  actRoute(api, parts, `POST ${base}/lines/repetition`, decideStatementRepetition, carried);
  actRoute(api, parts, `POST ${base}/lines/:id/undo`, undoStatementLine, carried);
}

/** 202: nothing has changed yet, and a second user has to confirm it. */
function sendDecided(requestId: string | undefined, reply: FastifyReply): FastifyReply {
  if (requestId === undefined) return reply.code(204).send();
  return reply.code(202).send({ request_id: requestId });
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

  actRoute(api, parts, `POST ${bank}/close`, closeBankMonthAct, {
    response: BankClosing,
    answer: ({ closing, name }) => presentClosing(closing, name),
  });

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

const connectionIdOf = (params: { id: string }) => idOf(params, "BANK102");

function idOf({ id }: { id: string }, code: Code): string {
  if (!isUuid(id)) throw new Refusal(code);
  return id.toLowerCase();
}
