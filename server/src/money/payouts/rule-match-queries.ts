// The SQL of the rules that applied to payouts, with their figures. Only users see them.

import { type Runner, statement, type Tx } from "../../platform/db/index.ts";
import type { Rule, RuleFigures } from "../rules/index.ts";
import type { PayoutKey } from "./list-queries.ts";

export type PayoutMatch = PayoutKey & { version: number; rule: Rule; figures: RuleFigures };

const insertMany = statement<never>(
  "payout-rule-matches-insert",
  `insert into payout_rule_match (subaccount_id, payout_id, rule_id, version, name, act, approvals, role, figures)
   select * from json_to_recordset($1) as input(subaccount_id uuid, payout_id uuid, rule_id text, version bigint,
     name text, act text, approvals int, role text, figures jsonb)`,
);

export async function insertRuleMatches(tx: Tx, matches: readonly PayoutMatch[]): Promise<void> {
  const rows = matches.map(({ subaccountId, id, version, rule, figures }) => ({
    subaccount_id: subaccountId,
    payout_id: id,
    rule_id: rule.id,
    version,
    name: rule.name,
    act: rule.then.act,
    approvals: rule.then.act === "approvals" ? rule.then.count : null,
    role: rule.then.act === "approvals" && rule.then.role !== "" ? rule.then.role : null,
    figures,
  }));
  await tx.run(insertMany, [JSON.stringify(rows)]);
}

export type RuleMatchRow = {
  rule_id: string;
  version: number;
  name: string;
  act: "hold" | "second_person" | "approvals";
  approvals: number | null;
  role: string | null;
  figures: RuleFigures;
};

/** The rules that ask for approval of the payout `p`, as JSON. */
export const approvalRulesOf = `(select coalesce(json_agg(m order by m.rule_id), '[]') from payout_rule_match m
  where m.subaccount_id = p.subaccount_id and m.payout_id = p.id and m.act <> 'hold')`;

const matchesOf = statement<RuleMatchRow>(
  "payout-rule-matches",
  `select rule_id, version::int, name, act, approvals, role, figures from payout_rule_match
   where subaccount_id = $1 and payout_id = $2 order by rule_id`,
);

export function listRuleMatches(
  db: Runner,
  { subaccountId, id }: PayoutKey,
): Promise<RuleMatchRow[]> {
  return db.run(matchesOf, [subaccountId, id]);
}
