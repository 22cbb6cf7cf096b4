// The versions of the rules as the Rules screen shows them: as sentences, with what each one changes.

import {
  findActiveRuleSet,
  findRuleSet,
  listRuleSets,
  type Rule,
  type RuleSetRow,
  ruleSentence,
} from "../../../money/rules/index.ts";
import { readCursor, writeCursor } from "../../../platform/base/index.ts";
import type { Runner } from "../../../platform/db/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { conflictsOf } from "../../../tenants/four-eyes/index.ts";
import type { User } from "../../../tenants/roles/index.ts";
import { whyNotApprove } from "../why-not.ts";
import type { RuleChange, RuleLine, RulesInForce, RuleVersion } from "./schema.ts";

export type RuleViewer = { user: User; who: string; nowMs: number };

export async function findRulesInForce(db: Runner, viewer: RuleViewer): Promise<RulesInForce> {
  const active = await findActiveRuleSet(db);
  const newest = await listRuleSets(db, { limit: limits.rowsMax });
  const proposed = newest.filter(({ status }) => status === "proposed");
  const [first, ...waiting] = await presentVersions(db, viewer, [
    ...(active ? [active] : []),
    ...proposed,
  ]);
  return active
    ? { active: first ?? null, waiting }
    : { active: null, waiting: first ? [first, ...waiting] : [] };
}

/** Cursors are written from ids; a version is one with zeros before it. */
export function cursorOfVersion({ version }: RuleSetRow): string {
  return writeCursor(`00000000-0000-0000-0000-${String(version).padStart(12, "0")}`);
}

export function beforeVersion(cursor: string | undefined): { beforeVersion?: number } {
  if (cursor === undefined) return {};
  return { beforeVersion: Number(readCursor(cursor)?.slice(-12) ?? 0) };
}

export function toLines(rules: readonly Rule[]): RuleLine[] {
  return rules.map((rule) => ({ rule, sentence: ruleSentence(rule) }));
}

export async function presentVersions(
  db: Runner,
  { user, who }: RuleViewer,
  rows: readonly RuleSetRow[],
): Promise<RuleVersion[]> {
  const active = await findActiveRuleSet(db);
  const conflicts = await conflictsOf(
    db,
    rows.map(({ made_by }) => [made_by]),
    { who },
  );
  const known = new Map(rows.map((row) => [row.version, row.rules]));
  const versions: RuleVersion[] = [];
  for (const [index, row] of rows.entries()) {
    versions.push({
      version: row.version,
      status: row.status,
      note: row.note,
      made_by: row.made_by,
      made_at: Number(row.made_at_ms),
      decided_by: row.decided_by,
      decided_at: row.decided_at_ms === null ? null : Number(row.decided_at_ms),
      decided_why: row.decided_why,
      rules: toLines(row.rules),
      changes: await ruleChangesOf(db, row, known),
      is_own: row.made_by === who,
      is_outdated: row.status === "proposed" && row.base_version !== (active?.version ?? null),
      why_not: whyNotApprove(user, "rules.approve", conflicts[index]),
    });
  }
  return versions;
}

/** What a version changes in the rules that it was made from. `known` are rules that were read before. */
export async function ruleChangesOf(
  db: Runner,
  { base_version: base, rules }: RuleSetRow,
  known = new Map<number, readonly Rule[]>(),
): Promise<RuleChange[]> {
  if (base === null) return changesOf([], rules);
  const before = known.get(base) ?? (await findRuleSet(db, base))?.rules ?? [];
  known.set(base, before);
  return changesOf(before, rules);
}

function changesOf(before: readonly Rule[], after: readonly Rule[]): RuleChange[] {
  const old = new Map(before.map((rule) => [rule.id, rule]));
  const kept = new Set(after.map(({ id }) => id));
  const changes: RuleChange[] = [];
  for (const rule of after) {
    const was = old.get(rule.id);
    if (was && JSON.stringify(was) === JSON.stringify(rule)) continue;
    changes.push({
      rule_id: rule.id,
      kind: was ? "changed" : "added",
      before: was ? inWords(was) : "",
      after: inWords(rule),
    });
  }
  for (const rule of before) {
    if (!kept.has(rule.id))
      changes.push({ rule_id: rule.id, kind: "removed", before: inWords(rule), after: "" });
  }
  return changes;
}

/** With the name, which may be all that changed. */
function inWords(rule: Rule): string {
  return `${rule.name}: ${ruleSentence(rule)}`;
}
