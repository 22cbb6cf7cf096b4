// disburse receivers import: checks a file of receivers, then creates each receiver once.

import type { Command } from "commander";
import {
  emailCheck,
  importReceiversAct,
  receiverFormat,
  receiversOfRows,
  receiverTemplate,
} from "../../money/imports/index.ts";
import type { ReceiverCreation } from "../../people/receivers/index.ts";
import { screenerFor } from "./command-context.ts";
import { importCommand } from "./import-command.ts";
import { type Import, importFile } from "./import-file.ts";

const receivers: Import<ReceiverCreation> = {
  things: "receivers",
  act: importReceiversAct,
  idName: "receiver_id",
  format: { ...receiverFormat, template: "--template" },
  newCheck: emailCheck,
  newCreator: async (context) => {
    const { db, seal, providers, mode, caller } = context;
    const screener = await screenerFor(context);
    return receiversOfRows({ db, seal, provider: providers[mode], screener, caller });
  },
};

export function importReceiversCommand(parent: Command): void {
  importCommand(parent, {
    description:
      "create receivers from a CSV file or a workbook (.xlsx); run it again to continue after an interruption",
    format: receivers.format,
    template: receiverTemplate,
    option: ["--result <file>", "result of each row; FILE.result.csv when absent"],
    help,
    run: (input, options) => importFile(input, options, receivers),
  });
}

const help = `\
Every value of CSV is text, so leading zeros stay. All rows are checked before any receiver is created. Problems are
shown, and all of them are written to FILE.problems.csv. The result of each row is written to
FILE.result.csv: row, receiver_id, outcome (created, already imported, refused), code, message.

A row that was imported before is not created again, so you can run an interrupted import again.

Exit code 0: success; 1: some rows were refused; 2: the file has problems; 130: interrupted.`;
