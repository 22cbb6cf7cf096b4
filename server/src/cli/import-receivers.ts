// disburse receivers import: a file of people, all of them checked first, then each created once.

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
    .description("create the receivers of a CSV file; run again, it goes on where it ended")
    .option("--result <file>", "what became of each row; FILE.result.csv when absent")
    .option("--dry-run", "only check the file")
    .option("--template", "print a header and an example row, and end")
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

/** No two rows may have one address. Of a million, hashes are what fits into memory, and what may be kept there. */
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

function newCreator(context: CommandContext): Creator<ReceiverCreation> {
  const { db, providers, mode } = context;
  const { who } = context.actor;
  return {
    batchesUnderWay: 2,
    toCreation({ fields }) {
      const input = fields as unknown as NewReceiver;
      return toReceiverCreation(
        commandCallerOf(context, importKey(fields)),
        input,
        providers[mode],
        who,
      );
    },
    async create(creations) {
      const outcomes = await createReceivers(db, creations);
      return creations.map((creation, index) => told(creation, outcomes[index] as ReceiverOutcome));
    },
  };
}

function told({ answer, row: { id } }: ReceiverCreation, outcome: ReceiverOutcome): RowResult {
  if (outcome === "email-taken") return { outcome: "refused", code: "REVR201" };
  return rowResultOf(outcome, { id, answer }, receivers.idName);
}

function help(): string {
  return `
FILE is CSV in UTF-8, with a header row that names the columns, in any order:

${columnLines(format)}

Every value is a text: leading zeros stay. Every row is checked before any receiver is created; the
problems are shown, and all of them written to FILE.problems.csv. What became of each row is written to
FILE.result.csv: row, receiver_id, outcome (created, already imported, refused), code, message.

A row that was imported before is not created again, so an import that was interrupted is simply run again.

Exit code 0: all is well; 1: some rows were refused; 2: the file has problems; 130: interrupted.`;
}
