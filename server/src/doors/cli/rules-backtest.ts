// disburse rules backtest: what the rules in a file would have done to the payouts of the last 90 days

import type { Command } from "commander";
import {
  type Backtest,
  checkedRules,
  findActiveRuleSet,
  type ModeBacktest,
  runBacktest,
} from "../../money/rules/index.ts";
import { format, systemClock } from "../../platform/base/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { withDatabase } from "./database.ts";
import { print, printSection } from "./output.ts";
import { Progress } from "./progress.ts";
import { readRulesFile } from "./rules-file.ts";
import { stderr } from "./terminal.ts";

type Json = { json?: boolean };

export function addBacktestCommand(rules: Command): void {
  rules
    .command("backtest <file>")
    .description(
      "show what the rules in a JSON file would have done to the payouts of the last 90 days",
    )
    .option("--json", "print JSON")
    .action(async (file: string, options: Json) => {
      const proposed = checkedRules(readRulesFile(file), { max: limits.rulesMax });
      await withDatabase("rules backtest", async ({ db }) => {
        const active = (await findActiveRuleSet(db))?.rules ?? [];
        const progress = new Progress({ what: "backtest" });
        const request = { active, proposed, nowMs: systemClock() };
        for await (const step of runBacktest(db, request)) {
          if (step.kind === "progress") progress.at(step.payouts, step.done);
          else {
            progress.end(step.result.payouts);
            printBacktest(step.result, options);
          }
        }
      });
    });
}

type Effect = Pick<
  ModeBacktest["rules"][number],
  "count" | "share" | "sums" | "also" | "no_longer"
>;

function printBacktest(backtest: Backtest, { json }: Json): void {
  if (json) {
    print(backtest, { json });
    return;
  }
  const { payouts, from, to, modes, unknown } = backtest;
  print({ from: new Date(from), to: new Date(to), payouts }, { json: false });
  for (const one of modes) printMode(one);
  for (const { text } of unknown) stderr.write(`${text}\n`);
}

function printMode({ mode, payouts, changed, acts, rules, list }: ModeBacktest): void {
  const name = mode === "live" ? "Live" : "Test mode";
  printSection(name, [{ payouts, decided_differently: changed }]);
  printSection(
    `${name}, by act: a payout counts for the strongest rule that applies`,
    acts.map((one) => ({ act: one.act, ...effectOf(one), in_force: one.active_count })),
  );
  printSection(
    `${name}, by rule`,
    rules.map((one) => ({ rule: one.sentence, change: one.change, ...effectOf(one) })),
  );
  printSection(
    `${name}, the newest ${list.length} of these payouts`,
    list.map(({ payout_id, at, amount, currency, active_act, act, rules: matched }) => ({
      payout_id,
      time: new Date(at),
      amount: format(BigInt(amount), currency),
      in_force: active_act,
      proposed: act,
      figures: matched.map(({ name, text }) => [name, text].filter(Boolean).join(": ")).join("; "),
    })),
  );
}

function effectOf({ count, share, sums, also, no_longer }: Effect) {
  return {
    payouts: count,
    share: `${(share * 100).toFixed(1)} %`,
    sum: sums.map(({ currency, amount }) => format(BigInt(amount), currency)).join("; "),
    more: also,
    no_longer,
  };
}
