// The SQL of the versions of the rules.

import { type Runner, statement, type Tx } from "../../platform/db/index.ts";
import type { Rule } from "./rule.ts";
import type { ActiveRuleSet, CountEpochs } from "./rule-set.ts";

export const ruleSetStatuses = ["proposed", "active", "replaced", "declined", "expired"] as const;
export type RuleSetStatus = (typeof ruleSetStatuses)[number];

export type RuleSetRow = {
  version: number;
  /** The version that was active when this one was proposed. */
  base_version: number | null;
  rules: Rule[];
  /** Of an active version: it names the version and its contents. */
  hash: string;
  epochs: CountEpochs;
  status: RuleSetStatus;
  note: string;
  made_by: string;
  made_at_ms: string;
  decided_by: string | null;
  decided_at_ms: string | null;
  decided_why: string;
};

const columns = `version::int, base_version::int, rules, hash, epochs, status, note, made_by, made_at_ms, decided_by,
  decided_at_ms, decided_why`;

/** The hash of the active version, as a part of another statement. Null: no rule is in force. */
export const activeRulesHash = "(select hash from payout_rule_set where status = 'active')";

const findActive = statement<RuleSetRow>(
  "rules-active",
  `select ${columns} from payout_rule_set where status = 'active'`,
);

export async function findActiveRuleSet(db: Runner): Promise<RuleSetRow | undefined> {
  return (await db.run(findActive))[0];
}

const findOne = statement<RuleSetRow>(
  "rules-version",
  `select ${columns} from payout_rule_set where version = $1`,
);

export async function findRuleSet(db: Runner, version: number): Promise<RuleSetRow | undefined> {
  return (await db.run(findOne, [version]))[0];
}

const listMany = statement<RuleSetRow>(
  "rules-versions",
  `select ${columns} from payout_rule_set where version < $1 order by version desc limit $2`,
);

/** Newest first. */
export function listRuleSets(
  db: Runner,
  { beforeVersion = 2 ** 31 - 1, limit }: { beforeVersion?: number; limit: number },
): Promise<RuleSetRow[]> {
  return db.run(listMany, [beforeVersion, limit]);
}

const lockAll = statement<never>(
  "rules-lock",
  "lock table payout_rule_set in share row exclusive mode",
);

/** Of two users who change the rules at once, the second sees what the first did. Readers don't wait. */
export async function lockRuleSets(tx: Tx): Promise<void> {
  await tx.run(lockAll);
}

const shareProposed = statement<{ version: number }>(
  "rules-share-proposed",
  "select version::int from payout_rule_set where version = $1 and status = 'proposed' for share",
);

/** The version can't be decided before the transaction ends. False: it is decided already. */
export async function isProposedUntilEnd(tx: Tx, version: number): Promise<boolean> {
  return (await tx.run(shareProposed, [version])).length > 0;
}

const insertOne = statement<{ version: number }>(
  "rules-insert",
  `insert into payout_rule_set (base_version, rules, hash, status, note, made_by, made_at_ms)
   values ($1, $2, '', 'proposed', $3, $4, $5) returning version::int`,
);

export async function insertRuleSet(
  tx: Tx,
  set: { baseVersion: number | undefined; rules: readonly Rule[]; note: string },
  { who, atMs }: { who: string; atMs: number },
): Promise<number> {
  const rules = JSON.stringify(set.rules);
  const [row] = await tx.run(insertOne, [set.baseVersion ?? null, rules, set.note, who, atMs]);
  if (!row) throw new Error("a version must be inserted");
  return row.version;
}

type RuleSetDecision = { version: number; who: string; atMs: number; why: string };

const replaceActive = statement<never>(
  "rules-replace",
  "update payout_rule_set set status = 'replaced' where status = 'active'",
);
const activateOne = statement<never>(
  "rules-activate",
  `update payout_rule_set
   set status = 'active', hash = $2, epochs = $3, decided_by = $4, decided_at_ms = $5, decided_why = $6
   where version = $1`,
);

export async function activateRuleSet(
  tx: Tx,
  { version, epochs }: ActiveRuleSet,
  { hash, who, atMs, why }: Omit<RuleSetDecision, "version"> & { hash: string },
): Promise<void> {
  await tx.run(replaceActive);
  await tx.run(activateOne, [version, hash, JSON.stringify(epochs), who, atMs, why]);
}

const declineOne = statement<never>(
  "rules-decline",
  `update payout_rule_set set status = $5, decided_by = $2, decided_at_ms = $3, decided_why = $4
   where version = $1`,
);

export async function updateDeclinedRuleSet(
  tx: Tx,
  status: "declined" | "expired",
  { version, who, atMs, why }: RuleSetDecision,
): Promise<void> {
  await tx.run(declineOne, [version, who, atMs, why, status]);
}
