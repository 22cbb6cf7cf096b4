// disburse receivers import: checks a file of receivers, then creates each receiver once.

import type { Command } from "commander";
import {
  emailCheck,
  receiverFormat,
  receiversOfRows,
  receiverTemplate,
} from "../../money/imports/index.ts";
import { screenerOfCommand } from "../../money/screener/index.ts";
import type { ReceiverCreation } from "../../people/receivers/index.ts";
import { templateOf } from "../../platform/fields/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { writeOptions } from "./command-context.ts";
import type { FileFormat } from "./file-rows.ts";
import {
  columnLines,
  type Import,
  type ImportOptions,
  importFile,
  readingOptions,
} from "./import-file.ts";

const format: FileFormat = { ...receiverFormat, template: "--template" };

const receivers: Import<ReceiverCreation> = {
  things: "receivers",
  idName: "receiver_id",
  format,
  newCheck: emailCheck,
  newCreator: async (context) => {
    const { db, seal, providers, mode, caller } = context;
    const screener = await screenerOfCommand(db);
    return receiversOfRows({ db, seal, provider: providers[mode], screener, caller });
  },
};

export function importReceiversCommand(parent: Command): void {
  const command = parent
    .command("import [file]")
    .description(
      "create receivers from a CSV file or a workbook (.xlsx); run it again to continue after an interruption",
    )
    .option("--result <file>", "result of each row; FILE.result.csv when absent")
    .option("--dry-run", "only check the file")
    .option("--template", "print a header and an example row, and exit")
    .addHelpText("after", help());
  writeOptions(readingOptions(command)).action(
    async (input: string | undefined, options: ImportOptions & { template?: boolean }) => {
      if (options.template) {
        process.stdout.write(templateOf(receiverTemplate));
        return;
      }
      if (input === undefined) throw new CliError("Name the file to import.", exitCodes.usage);
      await importFile(input, options, receivers);
    },
  );
}

function help(): string {
  return `
FILE is CSV in UTF-8 or an Excel workbook (.xlsx), with a header row that names the columns, in any order and case:

${columnLines(format)}

Every value of CSV is text, so leading zeros stay. All rows are checked before any receiver is created. Problems are
shown, and all of them are written to FILE.problems.csv. The result of each row is written to
FILE.result.csv: row, receiver_id, outcome (created, already imported, refused), code, message.

A row that was imported before is not created again, so you can run an interrupted import again.

Exit code 0: success; 1: some rows were refused; 2: the file has problems; 130: interrupted.`;
}
