// disburse bank-simulator: a bank on this machine, for trying files of payments without one. Needs no database.

import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { CliError, exitCodes } from "../app/cli-error.ts";
import { type StatementFormat, statementFormats } from "../bank-simulator/answers.ts";
import type { DecidedFile } from "../bank-simulator/decision.ts";
import { instructedSum } from "../bank-simulator/instruction-file.ts";
import { startSimulatorSftp } from "../bank-simulator/sftp-server.ts";
import { BankSimulator } from "../bank-simulator/simulator.ts";
import { formatPlain } from "../money.ts";
import { userEnv } from "./environment.ts";
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
  sftp?: number;
  sftpAddress: string;
  sftpUser?: string;
  sftpPasswordFile?: string;
};

const passwordVariable = "DISBURSE_SIMULATOR_PASSWORD";

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
    .addOption(
      new Option("--sftp <port>", "also serve the folders as /in and /out by SFTP; 0: a free port")
        .argParser(port)
        .conflicts("once"),
    )
    .option("--sftp-address <address>", "where the SFTP server listens", "127.0.0.1")
    .option("--sftp-user <name>", "the user of the SFTP server")
    .option("--sftp-password-file <file>", `its password; or set ${passwordVariable}`)
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

function port(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= 65_535) return value;
  throw new InvalidArgumentError("Give a port, 0 to 65535.");
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
  const login = loginOf(options);
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
    const sftp = login && (await startSimulatorSftp({ ...login, inFolder, outFolder }));
    if (sftp) {
      const { address, port: listening, fingerprint } = sftp;
      const text = `SFTP: ${address}, port ${listening}, user ${oneLine(login.user)}, host key ${fingerprint}`;
      const user = login.user;
      say({ event: "sftp", address, port: listening, user, host_key: fingerprint }, text);
    }
    await interruptible((signal) => simulator.run(signal)).finally(() => sftp?.close());
  } catch (error) {
    throw unusable(error);
  }
}

/** Undefined: there is no SFTP server. The password is never an argument, because every user of the machine sees those. */
function loginOf({
  sftp,
  sftpAddress,
  sftpUser,
  sftpPasswordFile,
}: Pick<Options, "sftp" | "sftpAddress" | "sftpUser" | "sftpPasswordFile">) {
  if (sftp === undefined) {
    if (sftpUser === undefined && sftpPasswordFile === undefined) return undefined;
    throw new CliError("Give --sftp, the port of the SFTP server.", exitCodes.usage);
  }
  const password = sftpPasswordFile
    ? readPassword(sftpPasswordFile)
    : (userEnv(passwordVariable) ?? "");
  if (!sftpUser) throw new CliError("Give --sftp-user, the user of --sftp.", exitCodes.usage);
  if (password === "") {
    const message = `Give the password of --sftp with --sftp-password-file, or in ${passwordVariable}.`;
    throw new CliError(message, exitCodes.usage);
  }
  return { address: sftpAddress, port: sftp, user: sftpUser, password };
}

/** Its first line: editors end files with a line end. */
function readPassword(file: string): string {
  try {
    return readFileSync(file, "utf8").replace(/\r?\n[\s\S]*$/, "");
  } catch (error) {
    throw unusable(error);
  }
}

/** A file, a folder or an address that can't be used. */
function unusable(error: unknown): unknown {
  const { code, path, address, port } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
  };
  const what = path ?? (address && `${address}, port ${port},`);
  if (code === undefined || !what) return error;
  return new CliError(`${oneLine(what)} can't be used (${code}).`, exitCodes.refused);
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
