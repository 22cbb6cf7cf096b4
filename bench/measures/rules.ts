// Create payout with ten rules in force and without rules, for one subaccount and for many. The rules look at every
// payout and apply to none.

import { approveRuleSet, proposeRuleSet } from "../../server/src/money/rules/change.ts";
import { type Rule, ruleSubjects } from "../../server/src/money/rules/rule.ts";
import type { Database } from "../database.ts";
import { connectionsUnderLoad, type Measure } from "../measure.ts";
import { addPayee, addPayers, type Payer } from "../payees.ts";
import { paying } from "../paying.ts";
import { atLeast } from "../requirement.ts";
import { interleave, type Variant } from "../rounds.ts";
import type { Server } from "../server-process.ts";
import { timed } from "../service-times.ts";

type Name =
  | "one subaccount, ten rules"
  | "one subaccount, no rules"
  | "many subaccounts, ten rules"
  | "many subaccounts, no rules";

const never = 1_000_000_000;
const windows = ["hour", "day", "month"] as const;

const conditions: Rule["when"][] = [
  ...ruleSubjects.map((of, index) => {
    const window = windows[index] ?? "day";
    return { fact: "sum", of, window, above: never * 1000 } as const;
  }),
  ...ruleSubjects.map((of, index) => {
    const window = windows[2 - index] ?? "day";
    return { fact: "count", of, window, above: never } as const;
  }),
  { fact: "above_median", times: 1000 },
  { fact: "shared_account" },
  { fact: "details_changed", within_hours: 24 },
  { fact: "country", in: ["PRK"] },
];

async function switchOn({ db }: Database): Promise<void> {
  const then: Rule["then"] = { act: "hold" };
  const rules = conditions.map((when, index) => {
    const scope = { mode: "", subaccount_ids: [], currency: "AUD" };
    return { id: `rule-${index}`, name: `Rule ${index}`, ...scope, when, then };
  });
  const atMs = Date.now();
  const { version } = await db.transaction((tx) =>
    proposeRuleSet(tx, { rules }, { who: "operator:one", atMs }),
  );
  await db.transaction((tx) => approveRuleSet(tx, version, { who: "operator:two", atMs }));
}

export const measureRules: Measure = async ({ postgres, servers, scale }) => {
  const [ruled, free] = [
    await postgres.createDatabase("payout_ruled"),
    await postgres.createDatabase("payout_free"),
  ];
  await switchOn(ruled);
  const hot = {
    ruled: await addPayee(ruled, ruled.caller),
    free: await addPayee(free, free.caller),
  };
  const many = {
    ruled: await addPayers(ruled, scale.subaccountsMany),
    free: await addPayers(free, scale.subaccountsMany),
  };
  const withRules = await servers.disburse(ruled);
  const without = await servers.disburse(free);
  const load = ({ port, pid: service }: Server, payers: readonly Payer[]) =>
    timed({ service, postgres: postgres.pid }, paying({ port, payers }));
  const variants: Variant<Name>[] = [
    { name: "one subaccount, ten rules", run: load(withRules, [hot.ruled]) },
    { name: "one subaccount, no rules", run: load(without, [hot.free]) },
    { name: "many subaccounts, ten rules", run: load(withRules, many.ruled) },
    { name: "many subaccounts, no rules", run: load(without, many.free) },
  ];
  const figures = await interleave(variants, scale);
  await Promise.all([withRules.stop(), without.stop()]);
  const ratio = (over: Name, under: Name) => figures[over].perSecond / figures[under].perSecond;
  return {
    title: "Create payout with rules",
    how: `${connectionsUnderLoad} connections, signed, synchronous_commit on; ten rules that look at every payout and apply to none; ${scale.subaccountsMany} subaccounts are many`,
    figures: Object.values(figures),
    requirements: [
      atLeast(
        "payout, one subaccount: ten rules / none",
        ratio("one subaccount, ten rules", "one subaccount, no rules"),
        0.85,
      ),
      atLeast(
        `payout, ${scale.subaccountsMany} subaccounts: ten rules / none`,
        ratio("many subaccounts, ten rules", "many subaccounts, no rules"),
        0.85,
      ),
    ],
    notes: [],
  };
};
