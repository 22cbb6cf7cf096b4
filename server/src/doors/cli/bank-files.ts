// disburse bank-files check | inbound | list. `check` needs no server and no database.

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Command } from "commander";
import { type BankFileCheck, checkBankFile } from "../../../../packages/bank-formats/src/index.ts";
import { type InboundFileRow, listInboundFiles } from "../../banking/answers/index.ts";
import { applyInbound, type InboundResult } from "../../banking/inbound-files/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { type BankContext, type BankOptions, withBankContext } from "./bank-context.ts";
import { byOption } from "./command-actor.ts";
import { oneLine, print, table, time } from "./output.ts";

type InboundOptions = BankOptions & { bank?: string };

export function addBankFileCommands(bankFiles: Command): void {
  bankFiles
    .command("check")
    .description("read a bank file of any format, and list all that is wrong with it")
    .argument("<file>", "the file; - for standard input")
    .option("--json", "print JSON")
    .action((file: string, options: { json?: boolean }) => {
      const report = checkBankFile(read(file));
      if (!report.valid) process.exitCode = exitCodes.refused;
      if (options.json) return print(report, options);
      show(report);
    });

  const inbound = bankFiles
    .command("inbound")
    .description("apply a file from a bank: returns, rejections, acknowledgements")
    .argument("<file>", "the file; - for standard input")
    .option("--bank <name>", "the bank connection; the file itself says so if absent")
    .option("--json", "print JSON");
  byOption(inbound).action((file: string, options: InboundOptions) => {
    const bytes = read(file);
    return withBankContext("bank-files inbound", options, async (context) => {
      const { file: applied, isNew } = await apply(context, bytes, { file, bank: options.bank });
      if (!isNew) process.stderr.write("This file was applied before. Nothing has changed.\n");
      print({ ...describe(applied), is_new: isNew }, options);
    });
  });

  bankFiles
    .command("list")
    .description("the newest files from banks, and what each has changed")
    .option("--bank <name>", "only those of a bank connection")
    .option("--json", "print JSON")
    .action((options: InboundOptions) =>
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

async function apply(
  { seal, actor, audit, connection }: BankContext,
  bytes: Buffer,
  { file, bank }: { file: string; bank: string | undefined },
): Promise<InboundResult> {
  const auditedDb = audit.db<InboundFileRow>((applied) => ({
    action: "bank-file.inbound",
    object: { kind: "bank_inbound_file", id: applied.id },
    after: describe(applied),
  }));
  return applyInbound({ db: auditedDb, seal }, bytes, {
    name: file === "-" ? "standard input" : basename(file),
    connection: bank === undefined ? undefined : await connection(bank),
    who: actor.who,
    atMs: Date.now(),
  });
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
  if (problems.length > 0) process.stdout.write(`\n${table(problems)}\n`);
}

function read(file: string): Buffer {
  try {
    return readFileSync(file === "-" ? 0 : file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError(`${oneLine(file)} can't be read (${code}).`, exitCodes.refused);
  }
}
