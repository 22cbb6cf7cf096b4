// /console/api/reconcile: where the money is, bank connections against the books, and closed months
// /console/api/reconcile/lines: statement lines, and what a user decides about them

import type { FastifyReply } from "fastify";
import { requireConnection } from "../../../banking/connections/index.ts";
import {
  closeBankMonthAct,
  decideStatementRepetition,
  giveStatementLinesToCompany,
  listClosings,
  listOpenLines,
  listStatementLines,
  listStatementPage,
  matchStatementLines,
  noteException,
  takeOpening,
  undoStatementLine,
} from "../../../banking/statements/index.ts";
import { type Mode, newestId, oldestId } from "../../../platform/base/index.ts";
import { type Api, ById } from "../../../platform/http/index.ts";
import { actRoute } from "../act-route.ts";
import { listRoute } from "../list-route.ts";
import { idIn } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import { presentClosing, presentClosings, readClosing } from "./closings.ts";
import { listExceptionLines } from "./exceptions.ts";
import {
  findBankStatement,
  findLineDetail,
  presentBankLine,
  presentOpenLines,
  presentStatements,
} from "./lines.ts";
import { listLineOptions } from "./match-options.ts";
import {
  afterAll,
  holdersOf,
  listMoney,
  listStandings,
  presentCompanyTransfer,
  presentHolder,
} from "./money.ts";
import { describePosition, listOpenMonths, listTransit } from "./position.ts";
import { listCompanyTransfers, listHolders } from "./queries.ts";
import {
  BankClosing,
  BankLine,
  BankLineDetail,
  BankPositionDetail,
  BankStandings,
  BankStatement,
  ClosingOf,
  ClosingsQuery,
  CompanyLine,
  CompanyQuery,
  ExceptionLine,
  ExceptionsQuery,
  HolderLine,
  HolderQuery,
  LinesQuery,
  MatchOptions,
  MatchQuery,
  MoneyPictures,
  OpeningTaken,
  OpenLine,
  OpenLinesQuery,
  OpenMonths,
  PositionQuery,
  StatementsQuery,
  TransitItem,
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

  listRoute(api, `${base}/balances`, {
    ...reading,
    query: HolderQuery,
    row: HolderLine,
    find: ({ query, limit }) => listHolders(db, holdersOf(query, limit)),
    cursorOf: ({ amount, subaccount_id }) => `${amount}.${subaccount_id}`,
    present: (rows) => rows.map(presentHolder),
  });

  listRoute(api, `${base}/company`, {
    ...reading,
    query: CompanyQuery,
    row: CompanyLine,
    find({ query: { mode, currency, cursor: beforeNumber = afterAll }, limit }) {
      return listCompanyTransfers(db, { mode: mode as Mode, currency, beforeNumber, limit });
    },
    cursorOf: ({ number }) => number,
    present: (rows) => rows.map(presentCompanyTransfer),
  });
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

  listRoute(api, `${bank}/in-transit`, {
    ...reading,
    query: TransitQuery,
    row: TransitItem,
    isWhole: true,
    find: async ({ params, query: { month } }) =>
      listTransit(db, { connection: await connectionOf(params), month, nowMs: clock() }),
  });

  actRoute(api, parts, `POST ${bank}/opening`, takeOpening, {
    response: OpeningTaken,
    answer: ({ request_id }) => ({ request_id }),
  });
}

function lineRoutes(api: Api, parts: WriteParts): void {
  const { db } = parts;

  listRoute(api, `${base}/statements`, {
    ...reading,
    query: StatementsQuery,
    row: BankStatement,
    find: ({ query: { connection_id: connectionId, cursor: beforeId = newestId }, limit }) =>
      listStatementPage(db, { connectionId, beforeId, limit }),
    present: (rows) => presentStatements(db, rows),
  });

  api.get(
    `${base}/statements/:id`,
    { config: reading, schema: { params: ById, response: { 200: BankStatement } } },
    async ({ params }) => findBankStatement(db, idIn(params)),
  );

  listRoute(api, `${base}/statements/:id/lines`, {
    ...reading,
    query: LinesQuery,
    row: BankLine,
    find({ params, query: { cursor = -1 }, limit }) {
      const statementId = idIn(params);
      return listStatementLines(db, { statementId, afterNumber: Number(cursor), limit });
    },
    cursorOf: ({ number }) => String(number),
    present: (rows) => rows.map(presentBankLine),
  });

  listRoute(api, `${bank}/lines`, {
    ...reading,
    query: OpenLinesQuery,
    row: OpenLine,
    find: ({ params, query: { cursor: afterId = oldestId }, limit }) =>
      listOpenLines(db, { connectionId: connectionIdOf(params), afterId, limit }),
    present: (rows) => presentOpenLines(db, rows),
  });

  api.get(
    `${base}/lines/:id`,
    { config: reading, schema: { params: ById, response: { 200: BankLineDetail } } },
    async ({ params }) => findLineDetail(db, idIn(params, "BANK471")),
  );

  api.get(
    `${base}/lines/:id/options`,
    {
      config: reading,
      schema: { params: ById, querystring: MatchQuery, response: { 200: MatchOptions } },
    },
    async ({ params, query }) => ({
      rows: await listLineOptions(db, idIn(params, "BANK471"), query),
    }),
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
  listRoute(api, `${base}/exceptions`, {
    ...reading,
    query: ExceptionsQuery,
    row: ExceptionLine,
    isWhole: true,
    find: ({ query }) => listExceptionLines(parts, query.connection_id, parts.clock()),
  });

  actRoute(api, parts, `POST ${base}/exceptions`, noteException);
}

function closingRoutes(api: Api, parts: WriteParts): void {
  const { db, clock } = parts;

  api.get(
    `${base}/months`,
    { config: reading, schema: { response: { 200: OpenMonths } } },
    async () => ({ rows: await listOpenMonths(parts, clock()) }),
  );

  listRoute(api, `${base}/closings`, {
    ...reading,
    query: ClosingsQuery,
    row: BankClosing,
    isWhole: true,
    find: ({ query, limit }) => listClosings(db, query.connection_id, limit),
    present: (rows) => presentClosings(db, rows),
  });

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

const connectionIdOf = (params: { id: string }) => idIn(params, "BANK102");
