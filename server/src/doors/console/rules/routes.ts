// /console/api/rules: the rules in force, their versions, proposals, decisions and backtests

import type { FastifyReply } from "fastify";
import { type Api, streamWhileRead } from "../../../platform/http/index.ts";
import { pageSizeOf } from "../../lists/index.ts";
import { DeclineReason } from "../bank-changes/schema.ts";
import type { ConsoleAccess } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import { type BacktestParts, backtestLines } from "./backtest-lines.ts";
import { approveRules, checkRules, declineRules, proposeRules } from "./decide.ts";
import {
  type BacktestLine,
  ByVersion,
  CheckedRules,
  DecidedRules,
  ProposedRules,
  RulesInForce,
  RulesToCheck,
  RulesToPropose,
  RuleVersionPage,
  VersionQuery,
} from "./schema.ts";
import { findRulesInForce, listVersionPage, toLines } from "./versions.ts";

const base = "/console/api/rules";
const read = { may: "rules.read" } as const;
const propose = { may: "rules.propose" } as const;
const approve = { may: "rules.approve", stepUp: true } as const;

export function ruleRoutes(api: Api, parts: WriteParts & BacktestParts): void {
  const { db, clock } = parts;
  const viewerOf = ({ access: { user, actor } }: { access: ConsoleAccess }) => ({
    ...{ user, who: actor.who, nowMs: clock() },
  });

  api.get(base, { config: read, schema: { response: { 200: RulesInForce } } }, (request) =>
    findRulesInForce(db, viewerOf(request)),
  );

  api.get(
    `${base}/versions`,
    { config: read, schema: { querystring: VersionQuery, response: { 200: RuleVersionPage } } },
    ({ query, access }) =>
      listVersionPage(db, viewerOf({ access }), { ...query, size: pageSizeOf(query) }),
  );

  api.post(
    `${base}/check`,
    { config: propose, schema: { body: RulesToCheck, response: { 200: CheckedRules } } },
    async ({ body }) => ({ rules: toLines(checkRules(body.rules)) }),
  );

  api.post(
    `${base}/versions`,
    {
      config: { ...propose, stepUp: true },
      schema: { body: RulesToPropose, response: { 200: ProposedRules } },
    },
    async ({ body, access }) => ({ version: await proposeRules(parts, access.actor, body) }),
  );

  const schema = { params: ByVersion, response: { 200: DecidedRules } };
  api.post(
    `${base}/versions/:version/approve`,
    { config: approve, schema },
    async ({ params, access }) => {
      const version = Number(params.version);
      return { version, status: await approveRules(parts, access.actor, version) };
    },
  );

  api.post(
    `${base}/versions/:version/decline`,
    // Its creator may withdraw it, whatever their role is.
    { config: read, schema: { ...schema, body: DeclineReason } },
    async ({ params, body: { reason }, access }) => {
      const version = Number(params.version);
      return { version, status: await declineRules(parts, access, { version, reason }) };
    },
  );

  api.post(
    `${base}/backtest`,
    // It changes nothing, so every user who reads the rules may run it.
    { config: read, schema: { body: RulesToCheck } },
    async ({ body, access }, reply) =>
      sendLines(reply, await backtestLines(parts, access, checkRules(body.rules))) as never,
  );
}

/** One JSON line for each step. If the browser disconnects, the backtest ends after the current page. */
function sendLines(reply: unknown, lines: AsyncGenerator<BacktestLine>): FastifyReply {
  async function* texts(): AsyncGenerator<string> {
    for await (const line of lines) yield `${JSON.stringify(line)}\n`;
  }
  return (reply as FastifyReply)
    .headers({ "content-type": "application/x-ndjson; charset=utf-8", "cache-control": "no-store" })
    .send(streamWhileRead(texts()));
}
