// disburse bank-simulator: a bank on this machine, for trying files of payments without one. Needs no database.

import { type Command, InvalidArgumentError, Option } from "commander";
import { CliError, exitCodes } from "../app/cli-error.ts";
import { type StatementFormat, statementFormats } from "../bank-simulator/answers.ts";
import type { DecidedFile } from "../bank-simulator/decision.ts";
import { instructedSum } from "../bank-simulator/instruction-file.ts";
import { BankSimulator } from "../bank-simulator/simulator.ts";
import { formatPlain } from "../money.ts";
import { interruptible } from "./interruption.ts";
import { oneLine } from "./output.ts";

type Options = {
  in: string;
  out: string;
  speed: number;
  returnRate: number;
  seed: number;
  statements?: StatementFormat;
  once?: boolean;
  json?: boolean;
};

export function addBankSimulatorOptions(command: Command): void {
  command
    .requiredOption("--in <folder>", "the folder in which the bank looks for files of payments")
    .requiredOption("--out <folder>", "the folder into which it writes its answers")
    .option("--speed <n>", "how much faster than a bank; 3600 makes a second of an hour", above0, 1)
    .option("--return-rate <n>", "the part of all payments that comes back, 0 to 1", rate, 0)
    .option("--seed <n>", "decides which payments come back", seed, 1)
    .addOption(
      new Option("--statements <format>", "also send statements").choices(statementFormats),
    )
    .option("--once", "answer the files that are there, without delays, and end")
    .option("--json", "print a JSON object on each line")
    .action((options: Options) => run(options));
}

function above0(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError("Give a number above 0.");
}

function rate(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError("Give a number from 0 to 1.");
}

function seed(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError("Give a whole number.");
}

async function run({ in: inFolder, out: outFolder, json = false, ...options }: Options) {
  const say = (event: Record<string, unknown>, text: string) => {
    process.stdout.write(`${json ? JSON.stringify(event) : text}\n`);
  };
  try {
    const simulator = new BankSimulator({
      ...options,
      statements: options.statements,
      once: options.once ?? false,
      inFolder,
      outFolder,
      onFile: (decided) => say(fileEvent(decided), fileText(decided)),
      onAnswer: (name) => say({ event: "answer", name }, `wrote ${name}`),
    });
    if (!options.once) {
      const text = `The bank simulator watches ${oneLine(inFolder)} and answers into ${oneLine(outFolder)}. End it with Ctrl-C.`;
      say({ event: "start", in: inFolder, out: outFolder }, text);
    }
    await interruptible((signal) => simulator.run(signal));
  } catch (error) {
    const { code, path = "" } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new CliError(`${oneLine(path)} can't be used (${code}).`, exitCodes.refused);
  }
}

function fileEvent({ name, sha256, reference, isAccepted, file }: DecidedFile) {
  return {
    event: "file",
    name,
    sha256,
    format: file.format,
    accepted: isAccepted,
    reference,
    count: file.instructions.length,
    total: instructedSum(file).toString(),
    currency: file.currency,
    problems: file.problems,
  };
}

function fileText({ name, reference, isAccepted, file }: DecidedFile): string {
  const { format, instructions, currency, problems } = file;
  const what = `${oneLine(name)} (${format})`;
  if (!isAccepted)
    return [`rejected ${what}:`, ...problems.map((one) => `  ${oneLine(one)}`)].join("\n");
  const sum = formatPlain(instructedSum(file), currency);
  const count = instructions.length === 1 ? "1 payment" : `${instructions.length} payments`;
  return `took ${what}: ${count}, ${sum}, reference ${reference}`;
}
