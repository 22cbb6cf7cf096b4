// Schemas of the Rules screen: the rules in force, their versions, proposals and backtests.

import Type, { type Static } from "typebox";
import type { Backtest, BacktestStep, ModeBacktest, Rule } from "../../../money/rules/index.ts";
import { input, required } from "../../../platform/fields/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { cursorField, rowsField } from "../../lists/index.ts";

export type { Backtest, ModeBacktest, Rule };

const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const named = <Name extends string>(names: readonly Name[]) =>
  Type.Unsafe<Name>(Type.String({ enum: [...names] }));

/** It was checked when it was proposed. */
const CheckedRule = Type.Unsafe<Rule>(Type.Object({}, { additionalProperties: true }));

/** A rule, and the same as a sentence. */
export const RuleLine = Type.Object({ rule: CheckedRule, sentence: Type.String() });
export type RuleLine = Static<typeof RuleLine>;

/** Sentences; empty where there is none. */
export const RuleChange = Type.Object({
  rule_id: Type.String(),
  kind: named(["added", "removed", "changed"]),
  before: Type.String(),
  after: Type.String(),
});
export type RuleChange = Static<typeof RuleChange>;

export const RuleVersion = Type.Object({
  version: Type.Number(),
  status: named(["proposed", "active", "replaced", "declined", "expired"]),
  note: Type.String(),
  made_by: Type.String(),
  made_at: Type.Number(),
  decided_by: orNull(Type.String()),
  decided_at: orNull(Type.Number()),
  decided_why: Type.String(),
  rules: Type.Array(RuleLine),
  /** From the version that was in force when it was proposed. */
  changes: Type.Array(RuleChange),
  is_own: Type.Boolean(),
  /** Proposed before the rules in force were switched on. */
  is_outdated: Type.Boolean(),
  /** Why the user can't approve it. Null: they can. */
  why_not: orNull(Type.String()),
});
export type RuleVersion = Static<typeof RuleVersion>;

export const RulesInForce = Type.Object({
  /** Null: no version was switched on yet. */
  active: orNull(RuleVersion),
  waiting: Type.Array(RuleVersion),
});
export type RulesInForce = Static<typeof RulesInForce>;

export const VersionQuery = input({ limit: rowsField, cursor: cursorField });

/** Checked as rules, not by this schema: the refusal names each field that is wrong. */
const given = required(Type.Array(Type.Unknown(), { maxItems: limits.rulesMax }));

export const RulesToCheck = input({ rules: given });
export const CheckedRules = Type.Object({ rules: Type.Array(RuleLine) });
export type CheckedRules = Static<typeof CheckedRules>;

export const ProposedRules = Type.Object({ version: Type.Number() });
export type ProposedRules = Static<typeof ProposedRules>;

export const DecidedRules = Type.Object({ version: Type.Number(), status: Type.String() });

/** The lines of the stream. */
export type BacktestLine = BacktestStep | { kind: "stopped" };
