// disburse rules show | propose | approve | decline | history | backtest

import type { Command } from "commander";
import { fillCounts } from "../../money/payouts/index.ts";
import {
  approveRuleSet,
  declineRuleSet,
  findActiveRuleSet,
  findRuleSet,
  listRuleSets,
  proposeRuleSet,
  type RuleSetRow,
  requireApprover,
} from "../../money/rules/index.ts";
import type { Db, Tx } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { audited } from "../../tenants/audit/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { byOption, commandActor } from "./command-actor.ts";
import { withDatabase } from "./database.ts";
import { readLine } from "./option-values.ts";
import { print, printSection, time } from "./output.ts";
import { addBacktestCommand } from "./rules-backtest.ts";
import { readRulesFile } from "./rules-file.ts";

type RuleOptions = { json?: boolean; by?: string };

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

  const propose = rules
    .command("propose <file>")
    .description("propose a whole set of rules, as JSON; another user has to approve it")
    .option("--note <text>", "what changes and why, for the user who approves it", readLine(500))
    .option("--json", "print JSON");
  byOption(propose).action((file: string, options: RuleOptions & { note?: string }) => {
    const input = readRulesFile(file);
    const note = options.note ?? "";
    return change("propose", options, (tx, by) => proposeRuleSet(tx, { rules: input, note }, by));
  });

  const approve = rules
    .command("approve <version>")
    .description("approve rules that another user proposed; new payouts are decided on by them")
    .option("--json", "print JSON");
  byOption(approve).action((version: string, options: RuleOptions) =>
    change(
      "approve",
      options,
      async (tx, by) => (await approveRuleSet(tx, readVersion(version), by)).after,
      async (db, by) => {
        await requireApprover(db, readVersion(version), by);
        await fillCounts(db, readVersion(version), { nowMs: by.atMs });
      },
    ),
  );

  const decline = rules
    .command("decline <version>")
    .description("decline or withdraw rules that were proposed")
    .requiredOption("--reason <text>", "why; kept with the version", readLine(500))
    .option("--json", "print JSON");
  byOption(decline).action((version: string, options: RuleOptions & { reason: string }) =>
    change("decline", options, (tx, by) =>
      declineRuleSet(tx, readVersion(version), { ...by, why: options.reason }),
    ),
  );

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

type RuleActor = { who: string; atMs: number };
type RuleChangeWork = (tx: Tx, by: RuleActor) => Promise<RuleSetRow>;

async function change(
  act: string,
  options: RuleOptions,
  work: RuleChangeWork,
  prepare: (db: Db, by: RuleActor) => Promise<void> = async () => {},
): Promise<void> {
  await withDatabase(`rules ${act}`, async ({ db, seal }) => {
    const actor = await commandActor(db, options.by);
    await prepare(db, { who: actor.who, atMs: Date.now() });
    const changed = await audited({ db, seal }, actor).transaction<RuleSetRow>(
      ({ version, base_version, rules, decided_why }) => ({
        action: `rules.${act}`,
        object: { kind: "rules", id: String(version) },
        after: { base_version, rules, ...(decided_why !== "" && { reason: decided_why }) },
      }),
      (tx) => work(tx, { who: actor.who, atMs: Date.now() }),
    );
    print(inShort(changed), options);
  });
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
