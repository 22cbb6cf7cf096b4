// Users change the rules: one proposes a version, another approves it. Each step is in the audit log.

import { fillCounts } from "../../../money/payouts/index.ts";
import {
  approveRuleSet,
  checkedRules,
  declineRuleSet,
  findActiveRuleSet,
  proposeRuleSet,
  type Rule,
  type RuleSetRow,
  requireApprover,
} from "../../../money/rules/index.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { type Actor, audited } from "../../../tenants/audit/index.ts";
import { may } from "../../../tenants/roles/index.ts";
import type { ConsoleAccess } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";

export function checkRules(rules: unknown): Rule[] {
  return checkedRules(rules, { max: limits.rulesMax });
}

type NewVersion = { rules: unknown; base_version: number | null; note: string };

/** Returns the version. The rules must still be those that the user started from. */
export async function proposeRules(
  parts: WriteParts,
  actor: Actor,
  { rules, base_version, note }: NewVersion,
): Promise<number> {
  const { version } = await changed(parts, actor, "rules.propose", async (tx) => {
    const active = await findActiveRuleSet(tx);
    if ((active?.version ?? null) !== base_version) throw new Refusal("RULE303");
    return proposeRuleSet(tx, { rules, note }, { who: actor.who, atMs: parts.clock() });
  });
  return version;
}

export async function approveRules(
  parts: WriteParts,
  actor: Actor,
  version: number,
): Promise<RuleSetRow["status"]> {
  const by = { who: actor.who, atMs: parts.clock() };
  await requireApprover(parts.db, version, by);
  await fillCounts(parts.db.background, version, { nowMs: by.atMs });
  const { status } = await changed(parts, actor, "rules.approve", async (tx) => {
    return (await approveRuleSet(tx, version, by)).after;
  });
  return status;
}

/** By a user who could approve it, or by its creator. */
export async function declineRules(
  parts: WriteParts,
  { actor, user }: Pick<ConsoleAccess, "actor" | "user">,
  { version, reason }: { version: number; reason: string },
): Promise<RuleSetRow["status"]> {
  const { status } = await changed(parts, actor, "rules.decline", async (tx) => {
    const declined = await declineRuleSet(tx, version, {
      ...{ who: actor.who, atMs: parts.clock(), why: reason },
    });
    const isAllowed = declined.made_by === actor.who || may(user, "rules.approve");
    if (!isAllowed) throw new Refusal("CONS102");
    return declined;
  });
  return status;
}

function changed(
  { db, seal }: WriteParts,
  actor: Actor,
  action: string,
  work: (tx: Tx) => Promise<RuleSetRow>,
): Promise<RuleSetRow> {
  return audited({ db, seal }, actor).transaction<RuleSetRow>(
    ({ version, base_version, rules, note, decided_why }) => ({
      action,
      object: { kind: "rules", id: String(version) },
      after: { base_version, rules, note, ...(decided_why !== "" && { reason: decided_why }) },
    }),
    work,
  );
}
