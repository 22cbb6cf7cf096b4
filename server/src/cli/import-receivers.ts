// disburse receivers import: checks a CSV file of receivers, then creates each receiver once.

import { hash } from "node:crypto";
import type { Command } from "commander";
import { CliError, exitCodes } from "../app/cli-error.ts";
import { checkOf } from "../fields/check.ts";
import type { SchemaExtras } from "../fields/fields.ts";
import { fieldsOf, templateOf } from "../fields/words.ts";
import { type Creator, importKey, type RowResult, rowResultOf } from "../imports/create-rows.ts";
import type { CheckAmong } from "../imports/csv-rows.ts";
import {
  createReceivers,
  type ReceiverCreation,
  type ReceiverOutcome,
  toReceiverCreation,
} from "../receivers/create.ts";
import { emailKey } from "../receivers/receiver.ts";
import { NewReceiver } from "../receivers/schema.ts";
import { refusals } from "../refusals/refusals.ts";
import { screenerOfCommand } from "../reviews/screener.ts";
import { type CommandContext, commandCallerOf, writeOptions } from "./command-context.ts";
import type { FileFormat } from "./file-rows.ts";
import { columnLines, type Import, type ImportOptions, importFile } from "./import-file.ts";

const format: FileFormat = {
  columns: fieldsOf(NewReceiver),
  aliases: (NewReceiver as SchemaExtras).aliases ?? {},
  check: checkOf(NewReceiver),
  template: "--template",
};

const receivers: Import<ReceiverCreation> = {
  things: "receivers",
  idName: "receiver_id",
  format,
  newCheck,
  newCreator,
};

export function importReceiversCommand(parent: Command): void {
  const command = parent
    .command("import [file]")
    .description("create receivers from a CSV file; run it again to continue after an interruption")
    .option("--result <file>", "result of each row; FILE.result.csv when absent")
    .option("--dry-run", "only check the file")
    .option("--template", "print a header and an example row, and exit")
    .addHelpText("after", help());
  writeOptions(command).action(
    async (input: string | undefined, options: ImportOptions & { template?: boolean }) => {
      if (options.template) {
        process.stdout.write(templateOf(format.columns));
        return;
      }
      if (input === undefined) throw new CliError("Name the file to import.", exitCodes.usage);
      await importFile(input, options, receivers);
    },
  );
}

/** No two rows may have the same email. It keeps hashes: a million of them fit into memory, and they are not personal data. */
function newCheck(): CheckAmong {
  const firstRows = new Map<string, number>();
  return ({ number, fields: { email } }) => {
    if (typeof email !== "string") return [];
    const key = hash("sha256", emailKey(email), "binary");
    const first = firstRows.get(key);
    if (first === undefined) {
      firstRows.set(key, number);
      return [];
    }
    const message = `${refusals.REVR201[1]}: it is that of row ${first} too`;
    return [{ row: number, column: "email", code: "REVR201", message }];
  };
}

async function newCreator(context: CommandContext): Promise<Creator<ReceiverCreation>> {
  const { db, providers, mode } = context;
  const { who } = context.actor;
  const screener = await screenerOfCommand(db);
  return {
    batchesAtOnce: 2,
    toCreation({ fields }) {
      const input = fields as unknown as NewReceiver;
      return toReceiverCreation(commandCallerOf(context, importKey(fields)), input, {
        provider: providers[mode],
        screener,
        who,
      });
    },
    async create(creations) {
      const outcomes = await createReceivers(db, creations);
      return creations.map((creation, index) =>
        toRowResult(creation, outcomes[index] as ReceiverOutcome),
      );
    },
  };
}

function toRowResult(
  { answer, row: { id } }: ReceiverCreation,
  outcome: ReceiverOutcome,
): RowResult {
  if (outcome === "email-taken") return { outcome: "refused", code: "REVR201" };
  return rowResultOf(outcome, { id, answer }, receivers.idName);
}

function help(): string {
  return `
FILE is CSV in UTF-8, with a header row that names the columns, in any order:

${columnLines(format)}

Every value is text, so leading zeros stay. All rows are checked before any receiver is created. Problems are
shown, and all of them are written to FILE.problems.csv. The result of each row is written to
FILE.result.csv: row, receiver_id, outcome (created, already imported, refused), code, message.

A row that was imported before is not created again, so you can run an interrupted import again.

Exit code 0: success; 1: some rows were refused; 2: the file has problems; 130: interrupted.`;
}
