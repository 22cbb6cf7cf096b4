// A version of the rules: checked, and prepared for the payouts of each subaccount. Pure.

import { hash } from "node:crypto";
import { Compile } from "typebox/compile";
import { isCurrency } from "../../platform/base/index.ts";
import { type Problem, Refusal } from "../../platform/refusals/index.ts";
import { isInScope, type RuleFacts } from "./evaluate.ts";
import { Rule, type RuleSubject, ruleSubjects } from "./rule.ts";

/** For each kind of subject: the version since which its payouts are counted without a gap. */
export type CountEpochs = Partial<Record<RuleSubject, number>>;

export type ActiveRuleSet = { version: number; rules: readonly Rule[]; epochs: CountEpochs };

/** The rules about the payouts of one balance, and the facts that they need. */
export type ScopedRules = {
  rules: readonly Rule[];
  /** The subjects that are counted, and the conditions about each. */
  subjects: readonly RuleSubject[];
  counted: Readonly<Record<RuleSubject, readonly CountedCondition[]>>;
};

const noConditions = { receiver: [], account: [], subaccount: [] };
const noRules: ScopedRules = { rules: [], subjects: [], counted: noConditions };
const scopesMax = 10_000;
type Scope = Pick<RuleFacts, "mode" | "subaccountId" | "currency">;

/** A rule set whose scopes are worked out once for each balance. */
export type CompiledRuleSet = ActiveRuleSet & {
  /** The facts about payees that any rule needs. Undefined: none. */
  payeeFacts: PayeeFactsNeeded | undefined;
  scopeOf(payout: Scope): ScopedRules;
};

export type PayeeFactsNeeded = Record<"first" | "shared" | "median" | "payeeName", boolean>;

function payeeFactsOf(rules: readonly Rule[]): PayeeFactsNeeded | undefined {
  const needs = (fact: Rule["when"]["fact"]) => rules.some(({ when }) => when.fact === fact);
  const needed = {
    first: needs("first_payout"),
    shared: needs("shared_account"),
    median: needs("above_median"),
    payeeName: needs("payee_name"),
  };
  return Object.values(needed).includes(true) ? needed : undefined;
}

export function compileRuleSet(set: ActiveRuleSet): CompiledRuleSet {
  const scopes = new Map<string, ScopedRules>();
  return {
    ...set,
    payeeFacts: payeeFactsOf(set.rules),
    scopeOf(payout) {
      const name = `${payout.mode} ${payout.subaccountId} ${payout.currency}`;
      const known = scopes.get(name);
      if (known) return known;
      const scoped = scopedRules(set.rules, payout);
      if (scopes.size >= scopesMax) scopes.clear();
      scopes.set(name, scoped);
      return scoped;
    },
  };
}

function scopedRules(all: readonly Rule[], payout: Scope): ScopedRules {
  const rules = all.filter((rule) => isInScope(rule, payout));
  if (rules.length === 0) return noRules;
  const counted = rules.map(({ when }) => when).filter(isCounted);
  return {
    rules,
    subjects: ruleSubjects.filter((subject) => counted.some(({ of }) => of === subject)),
    counted: {
      receiver: counted.filter(({ of }) => of === "receiver"),
      account: counted.filter(({ of }) => of === "account"),
      subaccount: counted.filter(({ of }) => of === "subaccount"),
    },
  };
}

export type CountedCondition = Extract<Rule["when"], { fact: "sum" | "count" }>;
const isCounted = (when: Rule["when"]): when is CountedCondition =>
  when.fact === "sum" || when.fact === "count";

/**
 * Counting goes on where the rules of a subject cover the same balances as before. Otherwise it starts again: payouts
 * may have been accepted that were not counted.
 */
export function nextEpochs(
  before: ActiveRuleSet | undefined,
  { version, rules }: Pick<ActiveRuleSet, "version" | "rules">,
): CountEpochs {
  const epochs: CountEpochs = {};
  for (const subject of ruleSubjects) {
    const covered = coverageOf(rules, subject);
    if (covered === "") continue;
    const isSame = before !== undefined && coverageOf(before.rules, subject) === covered;
    epochs[subject] = (isSame ? before.epochs[subject] : undefined) ?? version;
  }
  return epochs;
}

/** The balances for which payouts of the subject are counted. Empty: none. */
function coverageOf(rules: readonly Rule[], subject: RuleSubject): string {
  const scopes = rules.flatMap(({ when, mode, currency, subaccount_ids }) =>
    isCounted(when) && when.of === subject
      ? [JSON.stringify([mode, currency, subaccount_ids.toSorted()])]
      : [],
  );
  return [...new Set(scopes)].sort().join();
}

export function hashOfRuleSet(set: ActiveRuleSet): string {
  return hash("sha256", JSON.stringify([set.version, set.epochs, set.rules]), "base64url");
}

const validator = Compile(Rule);

/** Refuses with every problem at once. */
export function checkedRules(input: unknown, { max }: { max: number }): Rule[] {
  if (!Array.isArray(input) || input.length > max) {
    throw new Refusal([ruleProblem("rules", `It is not a list of at most ${max} rules`)]);
  }
  const problems = input.flatMap((rule, index) => problemsOf(rule, `rules[${index}]`));
  const ids = input.map((rule) => (rule as Partial<Rule> | null)?.id);
  for (const [index, id] of ids.entries()) {
    if (typeof id === "string" && ids.indexOf(id) < index) {
      problems.push(ruleProblem(`rules[${index}].id`, `An earlier rule has the id ${id}`));
    }
  }
  const [first, ...rest] = problems;
  if (first) throw new Refusal([first, ...rest]);
  return input as Rule[];
}

function problemsOf(rule: unknown, place: string): Problem[] {
  if (!validator.Check(rule)) {
    const [error] = validator.Errors(rule);
    const path = error?.instancePath.slice(1).replaceAll("/", ".");
    return [ruleProblem(path ? `${place}.${path}` : place, error?.message ?? "It is not a rule")];
  }
  const { when, currency } = rule;
  if (currency !== "" && !isCurrency(currency)) {
    return [ruleProblem(`${place}.currency`, "It is not a currency")];
  }
  if (when.fact === "sum" && currency === "") {
    return [ruleProblem(`${place}.currency`, "A sum needs a currency")];
  }
  return [];
}

function ruleProblem(field: string, message: string): Problem {
  return { code: "RULE201", field, message };
}
