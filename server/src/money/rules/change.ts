// Changes the rules: one user proposes a version, another one approves it. Its creator may withdraw it.

import type { Runner, Tx } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { requireOtherUser } from "../../tenants/four-eyes/index.ts";
import {
  activateRuleSet,
  findActiveRuleSet,
  findRuleSet,
  insertRuleSet,
  lockRuleSets,
  type RuleSetRow,
  updateDeclinedRuleSet,
} from "./queries.ts";
import { type ActiveRuleSet, checkedRules, hashOfRuleSet, nextEpochs } from "./rule-set.ts";

type RuleChange = { who: string; atMs: number };

/** The whole set: a rule that is not in it ends with the approval. */
export async function proposeRuleSet(
  tx: Tx,
  { rules: input, note = "" }: { rules: unknown; note?: string },
  by: RuleChange,
): Promise<RuleSetRow> {
  const rules = checkedRules(input, { max: limits.rulesMax });
  const active = await findActiveRuleSet(tx);
  const version = await insertRuleSet(tx, { baseVersion: active?.version, rules, note }, by);
  return existing(tx, version);
}

/** Refuses a user who can't approve the version, before anything is prepared for it. */
export async function requireApprover(
  db: Runner,
  version: number,
  { who }: Pick<RuleChange, "who">,
): Promise<void> {
  await requireOtherUser(db, [(await existing(db, version)).made_by], { who });
}

/** From the commit on, every new payout is decided on by this version. */
export async function approveRuleSet(
  tx: Tx,
  version: number,
  { who, atMs, why = "" }: RuleChange & { why?: string },
): Promise<{ before: RuleSetRow | undefined; after: RuleSetRow }> {
  const proposed = await lockProposed(tx, version);
  await requireOtherUser(tx, [proposed.made_by], { who });
  const before = await findActiveRuleSet(tx);
  if ((before?.version ?? null) !== proposed.base_version) throw new Refusal("RULE303");
  const { rules } = proposed;
  const set: ActiveRuleSet = { version, rules, epochs: nextEpochs(before, { version, rules }) };
  await activateRuleSet(tx, set, { hash: hashOfRuleSet(set), who, atMs, why });
  return { before, after: await existing(tx, version) };
}

export async function declineRuleSet(
  tx: Tx,
  version: number,
  { who, atMs, why }: RuleChange & { why: string },
): Promise<RuleSetRow> {
  await lockProposed(tx, version);
  await updateDeclinedRuleSet(tx, "declined", { version, who, atMs, why });
  return existing(tx, version);
}

/** No second user has decided in time. */
export async function expireRuleSet(
  tx: Tx,
  version: number,
  { who, atMs }: RuleChange,
): Promise<RuleSetRow> {
  await lockProposed(tx, version);
  await updateDeclinedRuleSet(tx, "expired", { version, who, atMs, why: "" });
  return existing(tx, version);
}

async function lockProposed(tx: Tx, version: number): Promise<RuleSetRow> {
  await lockRuleSets(tx);
  const found = await existing(tx, version);
  if (found.status === "proposed") return found;
  throw new Refusal("RULE302", { message: `Version ${version} of the rules is ${found.status}` });
}

async function existing(db: Runner, version: number): Promise<RuleSetRow> {
  const found = await findRuleSet(db, version);
  if (!found) throw new Refusal("RULE301");
  return found;
}
