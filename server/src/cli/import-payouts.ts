// disburse payouts template | import: a file of payouts, checked whole and agreed to, then each created once.

import type { Command } from "commander";
import { templateOf } from "../fields/words.ts";
import { duplicateCheck, payoutFormat, templateColumns } from "../imports/payout-file.ts";
import { payoutsOfRows } from "../imports/payouts-of-rows.ts";
import { limits } from "../limits.ts";
import type { PayoutCreation } from "../payouts/create.ts";
import { commandCallerOf, writeOptions } from "./command-context.ts";
import type { FileFormat } from "./file-rows.ts";
import { columnLines, type Import, type ImportOptions, importFile } from "./import-file.ts";
import { surveyPayouts } from "./survey-payouts.ts";

const keptDays = limits.idempotencyKeptMs / 86_400_000;

const format: FileFormat = { ...payoutFormat, template: "disburse payouts template" };

const payouts: Import<PayoutCreation> = {
  things: "payouts",
  idName: "payout_id",
  format,
  newCheck: duplicateCheck,
  newCreator: (context) => {
    const { db, rails, actor } = context;
    return payoutsOfRows({ db, rails, who: actor.who }, (key) => commandCallerOf(context, key));
  },
  survey: (context, asked) => surveyPayouts(context, format, asked),
};

export function importPayoutsCommand(parent: Command): void {
  parent
    .command("template")
    .description("print a header and an example row for import")
    .action(() => void process.stdout.write(templateOf(templateColumns)));

  const command = parent
    .command("import <file>")
    .description("create the payouts of a CSV file; run again, it goes on where it ended")
    .option("--result <file>", "what became of each row; FILE.result.csv when absent")
    .option("--dry-run", "only check the file and add it up")
    .option("--yes", "create them without asking; needed where there is no terminal")
    .addHelpText("after", help());
  writeOptions(command).action((input: string, options: ImportOptions) =>
    importFile(input, options, payouts),
  );
}

function help(): string {
  return `
FILE is CSV in UTF-8, with a header row that names the columns, in any order:

${columnLines(format)}

Every value is a text: leading zeros stay. Every row is checked before any payout is created; the
problems are shown, and all of them written to FILE.problems.csv. Then the totals are shown, currency by
currency, and you are asked. What became of each row is written to FILE.result.csv: row, payout_id,
outcome (created, already imported, refused), code, message.

A row that was imported in the last ${keptDays} days is not created again, so an import that was interrupted is
simply run again. It is known by receiver, account, amount, currency and reference: give each run of
regular payments references of its own.

Exit code 0: all is well; 1: some rows were refused, or you said no; 2: the file has problems, or --yes is
missing; 130: interrupted.`;
}
