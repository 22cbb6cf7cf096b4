// disburse bank-simulator: a bank on this machine, for trying files of payments without one. Needs no database.

import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import {
  type BankDeposit,
  BankSimulator,
  type BookingMode,
  bookingModes,
  type DecidedFile,
  type DepositFacts,
  instructedSum,
  type StatementFormat,
  startSimulatorSftp,
  statementFormats,
  writeDeposit,
} from "../../../../packages/bank-simulator/src/index.ts";
import { formatPlain } from "../../platform/base/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { userEnv } from "./environment.ts";
import { interruptible } from "./interruption.ts";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "./local-files.ts";
import { oneLine } from "./output.ts";
import { stdout } from "./terminal.ts";

type Options = {
  in?: string;
  out?: string;
  speed: number;
  returnRate: number;
  seed: number;
  statements?: StatementFormat;
  booking: BookingMode;
  openingBalance: string;
  chargePerFile: string;
  once?: boolean;
  json?: boolean;
  sftp?: number;
  sftpAddress: string;
  sftpUser?: string;
  sftpPasswordFile?: string;
};

const passwordVariable = "DISBURSE_SIMULATOR_PASSWORD";
const inOption = "--in <folder>";
const outOption = "--out <folder>";

export function addBankSimulatorOptions(command: Command): void {
  command
    .option(inOption, "the folder in which the bank looks for files of payments and deposits")
    .option(outOption, "the folder into which it writes its answers")
    .option("--speed <n>", "how much faster than a bank; 3600 makes a second of an hour", above0, 1)
    .option("--return-rate <n>", "the part of all payments that comes back, 0 to 1", rate, 0)
    .option("--seed <n>", "decides which payments come back", seed, 1)
    .addOption(
      new Option("--statements <format>", "also send statements").choices(statementFormats),
    )
    .addOption(
      new Option("--booking <mode>", "one debit for a file, or one for each payment")
        .choices(bookingModes)
        .default("batch"),
    )
    .option("--opening-balance <amount>", "what each account has at first", amount, "1000000.00")
    .option("--charge-per-file <amount>", "what the bank charges for a file", amount, "0")
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
    .action((options: Options) => run(options, command));
  command
    .command("deposit")
    .description("put money into the customer's account, in the folder of --in")
    .option(inOption, "the folder in which the bank looks for files of payments and deposits")
    .option("--json", "print a JSON object")
    .requiredOption("--amount <amount>", "such as 1000.00")
    .requiredOption("--currency <code>", "such as AUD")
    .option("--text <text>", "what the payer wrote, such as a deposit reference", "")
    .option("--from <name>", "the payer", "")
    .option("--account <number>", "the customer's account; else the one that its files name", "")
    .action((options: DepositFacts & Pick<Options, "in" | "json">) => deposit(options, command));
}

/** Both commands share the option, and only one of them needs the other folder. */
function requireFolder(command: Command, folder: string | undefined, flags: string): string {
  if (folder !== undefined) return folder;
  const code = "commander.missingMandatoryOptionValue";
  return command.error(`error: required option '${flags}' not specified`, { code });
}

function deposit(options: DepositFacts & Pick<Options, "in" | "json">, command: Command): void {
  const { amount, currency, text, from, account } = options;
  // Both may also stand before the word "deposit".
  const { in: given, json } = { ...command.opts<Options>(), ...options };
  const inFolder = requireFolder(command, given, inOption);
  const written = writeDeposit({ amount, currency, text, from, account });
  if ("problem" in written) throw new CliError(`${upper(written.problem)}.`, exitCodes.usage);
  const name = `deposit-${randomUUID()}.json`;
  try {
    mkdirSync(inFolder, { recursive: true });
    // The bank never sees half a file.
    const temporary = join(inFolder, `.${name}.tmp`);
    writeFileSync(temporary, written.json, { mode: 0o600 });
    renameSync(temporary, join(inFolder, name));
  } catch (error) {
    throw unusable(error);
  }
  const said = json ? JSON.stringify({ event: "deposit", name }) : `wrote ${name}`;
  stdout.write(`${said}\n`);
}

const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function amount(text: string): string {
  if (/^\d{1,13}(\.\d{1,4})?$/.test(text)) return text;
  throw new InvalidArgumentError("Give an amount, such as 1000.00.");
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

async function run({ json = false, ...options }: Options, command: Command) {
  const inFolder = requireFolder(command, options.in, inOption);
  const outFolder = requireFolder(command, options.out, outOption);
  const say = (event: Record<string, unknown>, text: string) => {
    stdout.write(`${json ? JSON.stringify(event) : text}\n`);
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
      onDeposit: (one) => say(depositEvent(one), depositText(one)),
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

type TakenDeposit = BankDeposit | { name: string; problem: string };

function depositEvent(one: TakenDeposit) {
  const { name } = one;
  if ("problem" in one) return { event: "deposit", name, accepted: false, problems: [one.problem] };
  const { reference, amount: minor, currency } = one;
  return { event: "deposit", name, accepted: true, reference, amount: String(minor), currency };
}

function depositText(one: TakenDeposit): string {
  if ("problem" in one) return `rejected ${oneLine(one.name)}:\n  ${oneLine(one.problem)}`;
  const { name, amount: minor, currency, reference } = one;
  return `took ${oneLine(name)}: a deposit of ${formatPlain(minor, currency)}, reference ${reference}`;
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
