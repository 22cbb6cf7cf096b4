// Rules for tests: one user proposes them and another one approves them.

import { approveRuleSet, proposeRuleSet } from "../../src/money/rules/change.ts";
import type { Rule } from "../../src/money/rules/rule.ts";
import type { Db } from "../../src/platform/db/connect.ts";

/** The parts of a rule that a test names; what it does is `act`. */
export type RuleParts = Partial<Rule> & Pick<Rule, "when"> & { act?: Rule["then"] };

/** The rest is open: any subaccount, mode and currency. It holds, unless the parts say otherwise. */
export function ruleOf({ act, ...parts }: RuleParts): Rule {
  const then: Rule["then"] = act ?? parts.then ?? { act: "hold" };
  return { id: "rule", name: "A rule", mode: "", subaccount_ids: [], currency: "", ...parts, then };
}

/** Replaces all rules by these. Returns the version. */
export async function switchRules(db: Db, rules: readonly Rule[]): Promise<number> {
  const atMs = Date.now();
  const { version } = await db.transaction((tx) =>
    proposeRuleSet(tx, { rules }, { who: "operator:rules-maker", atMs }),
  );
  await db.transaction((tx) =>
    approveRuleSet(tx, version, { who: "operator:rules-checker", atMs }),
  );
  return version;
}
