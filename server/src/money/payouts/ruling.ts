// What the rules in force say about payouts that are decided on together.

import type { Mode } from "../../platform/base/index.ts";
import type { Runner } from "../../platform/db/index.ts";
import { type CompiledRuleSet, evaluateRules, type RuleMatch } from "../rules/index.ts";
import type { HoldReason } from "./hold-reason.ts";
import type { PayoutContext, PayoutRequest } from "./payout.ts";
import { type RuleBookOptions, type RuledPayout, readRuleBook } from "./rule-facts.ts";
import type { PayoutMatch } from "./rule-match-queries.ts";
import type { CountsToInsert } from "./total-queries.ts";

export type Ruled = {
  isRefused: boolean;
  holds: HoldReason[];
  needsApproval: boolean;
  matches: PayoutMatch[];
  /** To be called when the payout is accepted. Let through: nothing stops it any more. */
  accept(isLetThrough: boolean): void;
};

type Ruling = {
  /** In the order of the payouts, as each is decided on. */
  rule(payout: RuledPayout): Ruled;
  readonly counts: CountsToInsert;
  /** To be called when all are decided on. */
  rememberAfterCommit(): void;
};

type Creation = {
  id: string;
  caller: { mode: Mode; subaccountId: string };
  request: PayoutRequest;
};

/** Undefined: no rule is about these payouts. */
export async function startRuling(
  db: Runner,
  set: CompiledRuleSet,
  creations: readonly Creation[],
  contexts: readonly PayoutContext[],
  options: RuleBookOptions,
): Promise<Ruling | undefined> {
  const ruled = creations.flatMap(({ id, caller, request }, index): RuledPayout[] => {
    const context = contexts[index] as PayoutContext;
    const isAbout = set.scopeOf({ ...caller, currency: request.currency }).rules.length > 0;
    // Other payouts are refused before any rule is looked at.
    return isAbout && context.receiver && context.account ? [{ id, caller, request, context }] : [];
  });
  if (ruled.length === 0) return undefined;
  const book = await readRuleBook(db, set, ruled, options);
  return {
    counts: book.counts,
    rememberAfterCommit: book.rememberAfterCommit,
    rule(payout) {
      const rules = book.rulesOf(payout);
      if (rules.length === 0) return { ...nothing, accept: () => {} };
      return {
        ...outcomeOf(set, payout, evaluateRules(rules, book.factsOf(payout))),
        accept: (isLetThrough) => book.accept(payout, isLetThrough),
      };
    },
  };
}

const nothing = { isRefused: false, holds: [], needsApproval: false, matches: [] };

function outcomeOf(
  { version }: CompiledRuleSet,
  { id, caller: { subaccountId } }: RuledPayout,
  matches: readonly RuleMatch[],
): Omit<Ruled, "accept"> {
  if (matches.length === 0) return nothing;
  const isAct = (act: string) => matches.some(({ rule }) => rule.then.act === act);
  return {
    isRefused: isAct("refuse"),
    holds: matches
      .filter(({ rule }) => rule.then.act === "hold")
      .map(({ rule }) => ({ kind: "rule", rule_id: rule.id, version })),
    needsApproval: isAct("second_person") || isAct("approvals"),
    matches: matches.map(({ rule, figures }) => ({ subaccountId, id, version, rule, figures })),
  };
}
