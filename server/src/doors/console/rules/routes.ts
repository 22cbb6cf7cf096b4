// /console/api/rules: the rules in force, their versions, proposals, decisions and backtests

import { approveRulesAct, declineRulesAct, proposeRulesAct } from "../../../money/payouts/index.ts";
import { checkedRules, listRuleSets } from "../../../money/rules/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { actRoute } from "../act-route.ts";
import { listRoute } from "../list-route.ts";
import { type ConsoleAccess, sendLines } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import { type BacktestParts, backtestLines } from "./backtest-lines.ts";
import {
  CheckedRules,
  DecidedRules,
  ProposedRules,
  RulesInForce,
  RulesToCheck,
  RuleVersion,
  VersionQuery,
} from "./schema.ts";
import {
  beforeVersion,
  cursorOfVersion,
  findRulesInForce,
  presentVersions,
  toLines,
} from "./versions.ts";

const base = "/console/api/rules";
const read = { may: "rules.read" } as const;
const propose = { may: "rules.propose" } as const;

export function ruleRoutes(api: Api, parts: WriteParts & BacktestParts): void {
  const { db, clock } = parts;
  const viewerOf = ({ access: { user, actor } }: { access: ConsoleAccess }) => ({
    ...{ user, who: actor.who, nowMs: clock() },
  });

  api.get(base, { config: read, schema: { response: { 200: RulesInForce } } }, (request) =>
    findRulesInForce(db, viewerOf(request)),
  );

  listRoute(api, `${base}/versions`, {
    ...read,
    query: VersionQuery,
    row: RuleVersion,
    find: ({ query, limit }) => listRuleSets(db, { ...beforeVersion(query.cursor), limit }),
    cursorOf: cursorOfVersion,
    present: (rows, asked) => presentVersions(db, viewerOf(asked), rows),
  });

  api.post(
    `${base}/check`,
    { config: propose, schema: { body: RulesToCheck, response: { 200: CheckedRules } } },
    async ({ body }) => ({ rules: toLines(checkedRules(body.rules, { max: limits.rulesMax })) }),
  );

  const decided = { response: DecidedRules };
  actRoute(api, parts, `POST ${base}/versions`, proposeRulesAct, { response: ProposedRules });
  actRoute(api, parts, `POST ${base}/versions/:version/approve`, approveRulesAct, decided);
  actRoute(api, parts, `POST ${base}/versions/:version/decline`, declineRulesAct, decided);

  api.post(
    `${base}/backtest`,
    // It changes nothing, so every user who reads the rules may run it.
    { config: read, schema: { body: RulesToCheck } },
    async ({ body, access }, reply) =>
      sendLines(
        reply,
        await backtestLines(parts, access, checkedRules(body.rules, { max: limits.rulesMax })),
      ) as never,
  );
}
