// disburse accounts import: checks a file of accounts of known receivers, then adds each account once.

import type { Command } from "commander";
import { accountsFormat, findPayees } from "../../money/imports/index.ts";
import { addAccount } from "../../people/accounts/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { checkRows } from "./check-rows.ts";
import { byInSubaccount } from "./command-context.ts";
import { isAgreed } from "./confirm.ts";
import type { FileFormat } from "./file-rows.ts";
import { importCommand } from "./import-command.ts";
import {
  type ImportOptions,
  interruption,
  requireNotInterrupted,
  requireTerminal,
  requireValidRows,
  withOpenFile,
} from "./import-file.ts";
import { newPayeesOfFile } from "./new-payees.ts";
import { print } from "./output.ts";
import { count } from "./progress.ts";
import { requireUserMay } from "./remote-gate.ts";

const format: FileFormat = { ...accountsFormat, template: "--template" };

export function importAccountsCommand(parent: Command): void {
  importCommand(parent, {
    description: "add accounts to receivers from a CSV file or a workbook (.xlsx)",
    format,
    option: ["--yes", "create without confirmation; required without a terminal"],
    help,
    run: importAccounts,
  });
}

async function importAccounts(input: string, options: ImportOptions): Promise<void> {
  if (!options.dryRun) requireUserMay(addAccount);
  requireTerminal("accounts", options);
  const problems = `${input}.problems.csv`;
  const opening = { things: "accounts", input, format, options };
  await withOpenFile(opening, async (context, file, interrupted) => {
    const { subaccountId, mode } = context;
    const payees = newPayeesOfFile(context, (rows) => findPayees(context, subaccountId, rows));
    const checks = { find: payees.findFirst, checkAmong: () => [] };
    const checked = await checkRows({ file, problems }, checks, interrupted);
    requireNotInterrupted(interrupted);
    requireValidRows(checked, { problems }, options);
    const { accounts } = payees.counts();
    const facts = { subaccount_id: subaccountId, mode, rows: checked.rows };
    if (options.dryRun) return print({ ...facts, accounts, dry_run: true }, options);
    if (!options.yes && accounts > 0) {
      const agreed = await isAgreed(`Create ${count(accounts)} accounts?`, interrupted);
      if (!agreed) throw new CliError("Nothing has been created.", exitCodes.refused);
    }
    const made = await payees.create(byInSubaccount(context), interrupted);
    print({ ...facts, accounts: made.accounts }, options);
    if (interrupted.aborted) throw interruption("Run the command again to continue.");
    if (made.problems.length === 0) return;
    throw new CliError(`Not created: ${made.problems.join("; ")}.`, exitCodes.refused);
  });
}

const help = `\
Each row names a receiver by ID, email or reference. All rows are checked before any account is added. Problems are
shown, and all of them are written to FILE.problems.csv. An account that the receiver has, or that waits for approval,
is not added again, so you can run an interrupted import again. In a live subaccount each account waits for the
approval of a second user, in the console.

Exit code 0: success; 1: some were refused, or you did not confirm; 2: the file has problems, or --yes is missing;
130: interrupted.`;
