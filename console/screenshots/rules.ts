// The company's rules: two are in force, and a change of them waits for a second user.

import { approveRuleSet, proposeRuleSet } from "../../server/src/money/rules/change.ts";
import type { Rule } from "../../server/src/money/rules/rule.ts";
import type { Company } from "./company.ts";

/** They have been here for long: users who were invited today count as one with their host. */
const nora = "operator:nora@northwind.example";
const emil = "operator:emil@northwind.example";
const everywhere = { mode: "" as const, subaccount_ids: [], currency: "" };

const daily = (above: number): Rule => ({
  ...{ ...everywhere, id: "receiver-day", name: "Large sums to one receiver", currency: "AUD" },
  when: { fact: "sum", of: "receiver", window: "day", above },
  // biome-ignore lint/suspicious/noThenProperty: a rule reads "when … then …", and is never awaited.
  then: { act: "hold" },
});
const changed: Rule = {
  ...{ ...everywhere, id: "details", name: "New bank details" },
  when: { fact: "details_changed", within_hours: 48 },
  // biome-ignore lint/suspicious/noThenProperty: a rule reads "when … then …", and is never awaited.
  then: { act: "second_person" },
};
const unusual: Rule = {
  ...{ ...everywhere, id: "unusual", name: "Far above the usual amount" },
  when: { fact: "above_median", times: 5 },
  // biome-ignore lint/suspicious/noThenProperty: a rule reads "when … then …", and is never awaited.
  then: { act: "approvals", count: 2, role: "approver" },
};

export async function haveRules({ db }: Company): Promise<void> {
  const propose = (rules: Rule[], note: string) =>
    db.transaction((tx) => proposeRuleSet(tx, { rules, note }, { who: nora, atMs: Date.now() }));
  const { version } = await propose([daily(500_000), changed], "Our first rules");
  await db.transaction((tx) => approveRuleSet(tx, version, { who: emil, atMs: Date.now() }));
  await propose([daily(200_000), changed, unusual], "Smaller sums, and amounts that are unusual");
}
