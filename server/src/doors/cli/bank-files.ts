// disburse bank-files check | inbound | list. `check` needs no server and no database.

import { basename } from "node:path";
import { type Command, Option } from "commander";
import { type BankFileCheck, checkBankFile } from "../../../../packages/bank-formats/src/index.ts";
import { type InboundFileRow, listInboundFiles } from "../../banking/answers/index.ts";
import { applyBankFile } from "../../banking/inbound-files/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { actCommand } from "./act-command.ts";
import { type BankContext, type BankOptions, withBankContext } from "./bank-context.ts";
import { readFileSync } from "./local-files.ts";
import { oneLine, print, table, time } from "./output.ts";
import { setExitCode, stderr, stdout } from "./terminal.ts";

const fileMeaning = "the file; - for standard input";

export function addBankFileCommands(bankFiles: Command): void {
  bankFiles
    .command("check")
    .description("read a bank file of any format, and list all that is wrong with it")
    .argument("<file>", fileMeaning)
    .option("--json", "print JSON")
    .action((file: string, options: { json?: boolean }) => {
      const report = checkBankFile(read(file));
      if (!report.valid) setExitCode(exitCodes.refused);
      if (options.json) return print(report, options);
      show(report);
    });

  let bytes: Buffer | undefined;
  const inbound = actCommand(bankFiles, "inbound <file>", applyBankFile, {
    fields: { file: "name", bank: "connection_id" },
    options: [
      new Option("--bank <name>", "the bank connection; the file itself says so if absent"),
    ],
    async read({ name: file, connection_id: bank }, context) {
      const path = String(file);
      bytes = read(path);
      const name = path === "-" ? "standard input" : oneLine(basename(path));
      if (bank === undefined) return { name };
      const { id } = await (context as BankContext).connection(String(bank));
      return { name, connection_id: id };
    },
    parts: () => ({ ...(bytes && { bytes }) }),
    show({ file, isNew, requestId }) {
      // Of a user over HTTP, for a live connection.
      if (!file) {
        stderr.write("Nothing is applied yet: another user confirms its sums on Approvals.\n");
        return { request_id: requestId };
      }
      if (!isNew) stderr.write("This file was applied before. Nothing has changed.\n");
      return { ...describe(file), is_new: isNew };
    },
  });
  for (const file of inbound.registeredArguments) file.description = fileMeaning;

  bankFiles
    .command("list")
    .description("the newest files from banks, and what each has changed")
    .option("--bank <name>", "only those of a bank connection")
    .option("--json", "print JSON")
    .action((options: BankOptions & { bank?: string }) =>
      withBankContext("bank-files list", options, async ({ db, connection }) => {
        const { bank } = options;
        const rows = await listInboundFiles(db, {
          connectionId: bank === undefined ? undefined : (await connection(bank)).id,
          beforeId: "ffffffff-ffff-ffff-ffff-ffffffffffff",
          limit: limits.bankInboundListedMax,
        });
        print(rows.map(describe), options);
      }),
    );
}

function describe(row: InboundFileRow) {
  return {
    id: row.id,
    name: row.name,
    format: row.format,
    bank: row.connection_name,
    received_at: time(row.received_at_ms),
    received_by: row.received_by,
    lines: row.lines,
    applied: row.applied,
    noted: row.noted,
    suspended: row.suspended,
    repeated: row.repeated,
    sha256: row.sha256,
  };
}

function show({ problems, ...facts }: BankFileCheck): void {
  print(facts, {});
  if (problems.length > 0) stdout.write(`\n${table(problems)}\n`);
}

function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError(`${oneLine(file)} can't be read (${code}).`, exitCodes.refused);
  }
}
