// disburse rules show | propose | approve | decline | history | backtest

import { type Command, Option } from "commander";
import { approveRulesAct, declineRulesAct, proposeRulesAct } from "../../money/payouts/index.ts";
import {
  findActiveRuleSet,
  findRuleSet,
  listRuleSets,
  type RuleSetRow,
} from "../../money/rules/index.ts";
import type { Fields } from "../../platform/fields/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { actCommand } from "./act-command.ts";
import { withDatabase } from "./database.ts";
import { readLine } from "./option-values.ts";
import { print, printSection, time } from "./output.ts";
import { addBacktestCommand } from "./rules-backtest.ts";
import { readRulesFile } from "./rules-file.ts";

type RuleOptions = { json?: boolean };

export function addRuleCommands(rules: Command): void {
  rules
    .command("show [version]")
    .description("the rules in force, or those of a version")
    .option("--json", "print JSON: the rules as `propose` reads them")
    .action((version: string | undefined, options: RuleOptions) =>
      withDatabase("rules show", async ({ db }) => {
        const found =
          version === undefined
            ? await findActiveRuleSet(db)
            : await findRuleSet(db, readVersion(version));
        if (!found && version !== undefined) {
          throw new CliError(`There is no version ${version} of the rules.`, exitCodes.notFound);
        }
        if (options.json) return print(found?.rules ?? [], options);
        if (!found) return print({ version: null, status: "no rules are in force" }, options);
        print(inShort(found), options);
        printSection("Rules", found.rules.map(ruleLine));
      }),
    );

  actCommand(rules, "propose <file>", proposeRulesAct, {
    fields: { file: "rules" },
    options: [
      new Option("--note <text>", "what changes and why, for the user who approves it").argParser(
        readLine(500),
      ),
    ],
    read: ({ rules: file, ...given }) => ({ ...given, rules: readRulesFile(String(file)) }),
    show: inShort,
  });
  const ofVersion = {
    read: (given: Fields) => ({ ...given, version: String(readVersion(String(given.version))) }),
    show: inShort,
  };
  actCommand(rules, "approve <version>", approveRulesAct, ofVersion);
  actCommand(rules, "decline <version>", declineRulesAct, ofVersion);

  rules
    .command("history")
    .description("every version, newest first: who proposed it, and who decided")
    .option("--json", "print JSON")
    .action((options: RuleOptions) =>
      withDatabase("rules history", async ({ db }) => {
        const found = await listRuleSets(db, { limit: limits.listMax });
        print(found.map(inShort), options);
      }),
    );

  addBacktestCommand(rules);
}

function readVersion(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new CliError("A version is a number.", exitCodes.usage);
  return Number(text);
}

function inShort(row: RuleSetRow) {
  return {
    version: row.version,
    status: row.status,
    rules: row.rules.length,
    based_on: row.base_version,
    note: row.note,
    proposed_by: row.made_by,
    proposed_at: time(row.made_at_ms),
    decided_by: row.decided_by,
    decided_at: row.decided_at_ms === null ? null : time(row.decided_at_ms),
    reason: row.decided_why,
  };
}

function ruleLine({
  id,
  name,
  mode,
  currency,
  subaccount_ids,
  when,
  then,
}: RuleSetRow["rules"][number]) {
  return {
    id,
    name,
    when: JSON.stringify(when),
    act: JSON.stringify(then),
    mode: mode || "all",
    currency: currency || "all",
    subaccounts: subaccount_ids.length === 0 ? "all" : subaccount_ids.length,
  };
}
