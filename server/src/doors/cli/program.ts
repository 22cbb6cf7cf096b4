// The disburse program: its commands, one file each, and its exit codes.

import { Argument, Command, CommanderError } from "commander";
import { version } from "../../platform/base/index.ts";
import type { RunCommand } from "../operator/index.ts";
import { exitCodes } from "../setup/index.ts";
import { examplesOf } from "./examples.ts";
import { serveCommand } from "./serve.ts";
import { signCommand } from "./sign.ts";
import { headingOf } from "./table.ts";
import { stderr, stdout, terminal } from "./terminal.ts";
import { verifyCommand } from "./verify.ts";

/** Loaded on demand: these import schemas and the database, which take longer to load than all the rest. */
const loadedLate: Record<string, (command: Command) => Promise<void>> = {
  migrate: async (command) => (await import("./migrate.ts")).addMigrateOptions(command),
  subaccount: async (command) => (await import("./subaccount.ts")).addSubaccountCommands(command),
  keys: async (command) => (await import("./keys.ts")).addKeyCommands(command),
  receivers: async (command) => (await import("./receivers.ts")).addReceiverCommands(command),
  ledger: async (command) => (await import("./ledger.ts")).addLedgerCommands(command),
  accounts: async (command) => (await import("./accounts.ts")).addAccountCommands(command),
  payouts: async (command) => (await import("./payouts.ts")).addPayoutCommands(command),
  audit: async (command) => (await import("./audit.ts")).addAuditCommands(command),
  users: async (command) => (await import("./users.ts")).addUserCommands(command),
  endpoints: async (command) => (await import("./endpoints.ts")).addEndpointCommands(command),
  events: async (command) => (await import("./events.ts")).addEventCommands(command),
  banks: async (command) => (await import("./banks.ts")).addBankCommands(command),
  "bank-batches": async (command) =>
    (await import("./bank-batches.ts")).addBankBatchCommands(command),
  "bank-files": async (command) => (await import("./bank-files.ts")).addBankFileCommands(command),
  "bank-simulator": async (command) =>
    (await import("./bank-simulator.ts")).addBankSimulatorOptions(command),
  reviews: async (command) => (await import("./reviews.ts")).addReviewCommands(command),
  suspense: async (command) => (await import("./suspense.ts")).addSuspenseCommands(command),
  rules: async (command) => (await import("./rules.ts")).addRuleCommands(command),
  conformance: async (command) => (await import("./conformance.ts")).addConformanceOptions(command),
  export: async (command) => (await import("./export.ts")).addExportOptions(command),
  statements: async (command) => (await import("./statements.ts")).addStatementCommands(command),
  screening: async (command) => (await import("./screening.ts")).addScreeningCommands(command),
  backup: async (command) => (await import("./backup.ts")).addBackupCommands(command),
  restore: async (command) => (await import("./restore.ts")).addRestoreCommands(command),
  database: async (command) => (await import("./move-out.ts")).addDatabaseCommands(command),
  "master-key": async (command) => (await import("./master-key.ts")).addMasterKeyCommands(command),
  erasures: async (command) => (await import("./erasures.ts")).addErasureCommands(command),
  logs: async (command) => (await import("./logs.ts")).addLogCommands(command),
};

/** Runs one command and returns the exit code. */
export async function run(words: readonly string[]): Promise<number> {
  process.exitCode = 0;
  const { isOfPackage, runCommandLine } = await import(
    "../../../../packages/command-line/src/index.ts"
  );
  if (isOfPackage(words)) return runCommandLine(words);
  try {
    await newProgram().parseAsync(words, { from: "user" });
    // A command that has printed its own message may have set it.
    return process.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
    const { explain } = await import("./explain.ts");
    return explain(error);
  }
}

/** For users over HTTP. Loaded with the first of them. */
const runCommand: RunCommand = async (...given) =>
  (await import("./over-http.ts")).commandRunner(newProgram)(...given);

/** With the commands that are otherwise loaded on demand, for the page that lists them all. */
export async function wholeProgram(): Promise<Command> {
  const program = newProgram();
  for (const command of program.commands) await loadedLate[command.name()]?.(command);
  return program;
}

/** Its commands are complete once they run: most are loaded on demand. */
export function newProgram(): Command {
  const program = new Command("disburse")
    .description("Pay people: a payout service and its tools")
    .version(version)
    // Options after a command are its own: `disburse backup` and `disburse backup list` both have --json.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHelpWidth: () => terminal()?.columns ?? 80,
      getErrHelpWidth: () => terminal()?.columns ?? 80,
      getOutHasColors: () => terminal()?.colour ?? false,
      getErrHasColors: () => false,
    })
    .configureHelp({
      styleTitle: (title) => headingOf(title, terminal()),
      // Otherwise a narrow terminal would break the lines anywhere.
      get minWidthToWrap() {
        return terminal() ? 20 : 40;
      },
    })
    .showHelpAfterError("(add --help for the options)")
    .addHelpText("afterAll", ({ command }) => {
      const examples = examplesOf(command)?.map((example) => `  ${example}`) ?? [];
      return examples.length === 0
        ? ""
        : `\n${headingOf("Examples:", terminal())}\n${examples.join("\n")}`;
    });

  serveCommand(program, runCommand);
  program
    .command("migrate")
    .description("create the database or bring it up to date (serve does this when it starts)");
  // packages/command-line does these, before a command of the server is looked for.
  const done = () => {};
  program
    .command("login <url>")
    .description("sign in to a service elsewhere, with a code that you confirm at its console")
    .option("--profile <name>", "the profile to keep it in; with --profile, commands run there")
    .option("--token", "with an operator token from the standard input instead")
    .option("--api-key", "with an API key and its secret from the standard input instead")
    .action(done);
  program.command("logout").description("end the login of a profile").action(done);
  program.command("whoami").description("the user of a profile, and until when").action(done);
  program.command("profiles").description("the logins on this computer").action(done);
  program
    .command("mcp")
    .description("tools for agents, by the Model Context Protocol over stdio")
    .option("--propose", "also tools that propose what a user has to approve")
    .action(done);
  program
    .command("completion")
    .description("print a script with which a shell completes commands, options and profiles")
    .addArgument(new Argument("<shell>").choices(["bash", "zsh"]))
    .action(async (shell: "bash" | "zsh") => {
      const { completionScript } = await import("./completion.ts");
      stdout.write(completionScript(await wholeProgram(), shell));
    });
  program.command("subaccount").description("subaccounts: the companies that call the API");
  program.command("keys").description("API keys and their secrets");
  signCommand(program);
  verifyCommand(program);
  program
    .command("conformance <url>")
    .description("check whether a server keeps the published interface, promise by promise");
  program.command("receivers").description("people who are paid");
  program
    .command("erasures")
    .description("the journal of erased receivers: export it, apply it to a restored backup");
  program.command("accounts").description("bank accounts of receivers");
  program.command("payouts").description("payments to receivers");
  program
    .command("reviews")
    .description(
      "the review queue: identity checks, hits and payouts on hold that wait for a decision",
    );
  program
    .command("endpoints")
    .description("webhook endpoints: create, change, rotate, pause, enable, fill");
  program.command("events").description("events: list, resend, recover, listen");
  program.command("logs").description("the log of API requests");
  program.command("audit").description("the audit log: list entries, verify the chain");
  program
    .command("master-key")
    .description("the keys that encrypt secrets and account numbers: status, rotate, rewrap");
  program.command("users").alias("people").description("users of the console and their roles");
  program.command("ledger").description("balances, funding, limits and statements of subaccounts");
  program
    .command("banks")
    .description("bank connections: our own accounts, and how payouts go there");
  program.command("bank-batches").description("files to banks: freeze, approve, download, send");
  program.command("bank-simulator").description("a bank on this machine, for trying bank files");
  program
    .command("bank-files")
    .alias("bank-file")
    .description("files to and from banks: check, apply");
  program
    .command("suspense")
    .description("reports of banks that wait for a decision, and money whose owner is unknown");
  program
    .command("rules")
    .description("rules about payouts: show, propose, approve, decline, history, backtest");
  program
    .command("export")
    .description("write receivers, accounts, payouts, transfers and events as JSON lines");
  program
    .command("statements")
    .description("bank statements: match their lines, look after exceptions, close months");
  program
    .command("screening")
    .description("sanctions screening: compare names, lists and their versions");
  program
    .command("backup")
    .description("back up the embedded database while the service runs, and list or check backups");
  program
    .command("restore")
    .description("restore a backup into a new folder, verify it, and release it from quarantine");
  program
    .command("database")
    .description("move from the embedded database to a PostgreSQL of your own");
  program.hook("preSubcommand", (_, command) => loadedLate[command.name()]?.(command));
  return program;
}
