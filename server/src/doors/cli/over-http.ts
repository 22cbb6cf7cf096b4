// Runs a command for a user or an API key over HTTP: the same command, with them as its actor instead of a user of the system,
// and with what they may do. What it prints goes into the response. The files are those of the client.

import { type Command, CommanderError } from "commander";
import { Refusal } from "../../platform/refusals/index.ts";
import { may, type Permission } from "../../tenants/roles/index.ts";
import { textWithoutNames } from "../console/index.ts";
import type { Opened } from "../database/index.ts";
import type { RunCommand } from "../operator/index.ts";
import { exitCodes } from "../setup/index.ts";
import { actsByCommand, actsOverHttp } from "./act-command.ts";
import { nameOf } from "./command-words.ts";
import { explain } from "./explain.ts";
import { commandsOfKeys } from "./over-http-keys.ts";
import { requireUserMay } from "./remote-gate.ts";
import { inRequest, type RemoteRun } from "./terminal.ts";

/**
 * Commands that read, and the permission that a user needs: also those that show first what they would do. Commands that do
 * an act need that of the act.
 */
export const readsOverHttp: Readonly<Record<string, Permission>> = {
  ...of("read", [
    ...["accounts get", "accounts list", "events get", "events list", "keys list"],
    ...["ledger balance", "ledger funding", "payouts get", "payouts list", "payouts set-aside"],
    ...["payouts template", "receivers get", "receivers list", "subaccount list"],
    ...["completion", "subaccount show"],
  ]),
  ...of("accounts.propose", ["accounts import", "accounts validate"]),
  ...of("audit.read", ["audit list"]),
  ...of("banks.read", [
    ...["bank-batches list", "bank-batches recalls", "bank-files list", "banks list"],
    ...[
      "statements closing",
      "statements closings",
      "statements doubtful",
      "statements exceptions",
    ],
    ...["statements list", "statements open", "statements position", "statements show"],
    ...["suspense list", "suspense show"],
  ]),
  ...of("banks.write", ["banks csv-mapping", "banks formats", "banks show"]),
  ...of("export", ["ledger statement"]),
  ...of("payouts.create", ["payouts import", "payouts validate"]),
  ...of("receivers.write", ["receivers import"]),
  ...of("reviews.read", [
    ...["reviews list", "screening embargo list", "screening hits", "screening lists"],
    "screening status",
  ]),
  ...of("rules.propose", ["rules backtest"]),
  ...of("rules.read", ["rules history", "rules show"]),
  ...of("users.read", ["users list"]),
  ...of("webhooks.write", ["events trigger"]),
};

function of(permission: Permission, commands: readonly string[]): Record<string, Permission> {
  return Object.fromEntries(commands.map((command) => [command, permission]));
}

/** `newProgram`: the commands. */
export const commandRunner =
  (newProgram: () => Command): RunCommand =>
  async ({ db, seal, ...parts }, by, { words, files = {}, existing_files = [], terminal }) => {
    const run: RemoteRun = {
      stdout: [],
      stderr: [],
      exitCode: 0,
      terminal,
      withoutHiddenNames: (text) => textWithoutNames(by, text),
      files: new Map(Object.entries(files).map(([path, text]) => [path, bytesOf(text)])),
      existing: new Set(existing_files),
      written: new Map(),
      opened: { db, seal } as Opened,
      ...parts,
      ...by,
    };
    await inRequest(run, async () => {
      try {
        const program = newProgram();
        program.hook("preAction", (_, command) => requireAllowed(command, run));
        await program.parseAsync([...words], { from: "user" });
      } catch (error) {
        // What the service itself could not do is a failed request, and the client may send it again.
        const isOwn = error instanceof Error && "exitCode" in error;
        if (!isOwn && !(error instanceof Refusal)) throw error;
        run.exitCode = exitCodeOf(error);
      }
    });
    const text = (lines: readonly string[]) => run.withoutHiddenNames(lines.join(""));
    const printed = { stdout: text(run.stdout), stderr: text(run.stderr) };
    const needs = run.needsFile === undefined ? {} : { needs_file: run.needsFile };
    const written = run.written.size === 0 ? {} : { files: writtenBy(run) };
    return { exit_code: run.exitCode, ...printed, ...needs, ...written };
  };

const writtenBy = ({ written }: RemoteRun) =>
  Object.fromEntries(
    [...written].map(([path, bytes]) => [path, bytes?.toString("base64") ?? null]),
  );

const bytesOf = (base64: string) => Buffer.from(base64, "base64");

function exitCodeOf(error: unknown): number {
  if (!(error instanceof CommanderError)) return explain(error);
  return error.exitCode === 0 ? 0 : exitCodes.usage;
}

/** Also what reads only, and what decides itself which act it does. */
function requireAllowed(command: Command, { user, caller }: RemoteRun): void {
  const name = nameOf(command);
  if (caller) {
    const scope = commandsOfKeys[name];
    if (!scope) throw new Refusal("OPER111");
    if (!caller.scopes?.has(scope)) throw new Refusal("AUTH110");
    return;
  }
  const act = actsOverHttp.get(command) ?? actsByCommand.get(command);
  if (act) {
    requireUserMay(act);
    return;
  }
  const permission = readsOverHttp[name];
  if (!permission) throw new Refusal("OPER110");
  if (!user || !may(user, permission)) throw new Refusal("CONS102");
}
