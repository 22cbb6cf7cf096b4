// The rules in force, compiled once. Every statement that decides on payouts reads the hash of the active version, and
// the version is loaded only when the hash is new.

import type { Runner } from "../../platform/db/index.ts";
import { findActiveRuleSet } from "./queries.ts";
import { type CompiledRuleSet, compileRuleSet } from "./rule-set.ts";

/** By hash, which names version and contents. Tests have several databases in one process. */
const compiled = new Map<string, CompiledRuleSet>();
const keptMax = 32;

/** A value, not a promise, where the version is known: most payouts wait for nothing. */
export function knownRules(hash: string): CompiledRuleSet | undefined {
  const found = compiled.get(hash);
  if (found) latest = found;
  return found;
}

let latest: CompiledRuleSet | undefined;

/** A guess: the version that this process knew last. */
export function latestRules(): CompiledRuleSet | undefined {
  return latest;
}

export async function loadRules(db: Runner): Promise<CompiledRuleSet | undefined> {
  const row = await findActiveRuleSet(db);
  if (!row) return undefined;
  const { version, hash, rules, epochs } = row;
  const set = compileRuleSet({ version, rules, epochs });
  if (compiled.size >= keptMax) compiled.clear();
  compiled.set(hash, set);
  latest = set;
  return set;
}
