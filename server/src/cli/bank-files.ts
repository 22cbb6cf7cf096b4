// disburse bank-files check. Needs no server and no database.

import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { CliError, exitCodes } from "../app/cli-error.ts";
import { type BankFileCheck, checkBankFile } from "../bank-formats/check.ts";
import { oneLine, print, table } from "./output.ts";

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
