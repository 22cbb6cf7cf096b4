// disburse payouts template | import: checks a file of payouts, asks for confirmation, creates each payout once.

import type { Command } from "commander";
import {
  duplicateCheck,
  findPayees,
  importPayoutsAct,
  newPayeesTemplate,
  payeesFormat,
  payoutFormat,
  payoutRequestOf,
  payoutsOfRows,
  templateColumns,
} from "../../money/imports/index.ts";
import type { PayoutCreation } from "../../money/payouts/index.ts";
import { templateOf } from "../../platform/fields/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { writeOptions } from "./command-context.ts";
import type { FileFormat } from "./file-rows.ts";
import {
  fileHelp,
  type Import,
  type ImportOptions,
  importFile,
  readingOptions,
} from "./import-file.ts";
import { surveyPayouts } from "./survey-payouts.ts";
import { stdout } from "./terminal.ts";

const keptDays = limits.idempotencyKeptMs / 86_400_000;

const format: FileFormat = { ...payoutFormat, template: "disburse payouts template" };

const withPayees: FileFormat = { ...format, ...payeesFormat };

const payouts: Import<PayoutCreation> = {
  things: "payouts",
  act: importPayoutsAct,
  idName: "payout_id",
  format,
  newCheck: duplicateCheck,
  newCreator: ({ db, rails, caller }, batch) => payoutsOfRows({ db, rails, caller, ...batch }),
  requestOf: payoutRequestOf,
  find: (context, rows) => findPayees(context, context.subaccountId, rows),
  survey: surveyPayouts,
};

export function importPayoutsCommand(parent: Command): void {
  parent
    .command("template")
    .description("print a header and an example row for import")
    .option("--create-receivers", "with every column that a new receiver and account need")
    .action(({ createReceivers }: Pick<ImportOptions, "createReceivers">) => {
      stdout.write(templateOf(createReceivers ? newPayeesTemplate : templateColumns));
    });

  const command = parent
    .command("import <file>")
    .description(
      "create payouts from a CSV file or a workbook (.xlsx); run it again to continue after an interruption",
    )
    .option("--result <file>", "result of each row; FILE.result.csv when absent")
    .option("--dry-run", "only check the file and show the totals")
    .option("--create-receivers", "create the new receivers and accounts that rows describe")
    .option("--yes", "create without confirmation; required without a terminal")
    .addHelpText("after", help());
  writeOptions(readingOptions(command)).action((input: string, options: ImportOptions) =>
    importFile(
      input,
      options,
      options.createReceivers ? { ...payouts, format: withPayees } : payouts,
    ),
  );
}

function help(): string {
  return `${fileHelp(format)}

A file needs amount, currency and one column that says who is paid. Every value of CSV is text, so leading zeros
stay. All rows are checked before any payout is created. Problems are
shown, and all of them are written to FILE.problems.csv. Then you see the totals by currency and confirm them.
The result of each row is written to FILE.result.csv: row, payout_id, outcome (created, already imported,
refused), code, message.

With --create-receivers a row may also name a new receiver by email, with the columns of "disburse receivers import",
and a new account by account_number and bank_code. They are created once, however many rows name them. Their rows are
paid by a later import of the same file: a receiver needs an identity check first, and in a live subaccount a second
user has to approve the account, in the console.

A row that was imported in the last ${keptDays} days is not created again, so you can run an interrupted import
again. A row is identified by receiver, account, amount, currency and reference: give each run of regular
payments its own references.

Exit code 0: success; 1: some rows were refused, or you did not confirm; 2: the file has problems, or --yes is
missing; 130: interrupted.`;
}
