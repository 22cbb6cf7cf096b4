// Runs a command for a user or an API key over HTTP: the same command, with them as its actor instead of a user of the system,
// and with what they may do. What it prints goes into the response. It reads files of the client, and none of the server.

import { type Command, CommanderError } from "commander";
import { Refusal } from "../../platform/refusals/index.ts";
import type { TokensOfAct } from "../../tenants/acts/index.ts";
import { isProven, may, type Permission, type Session } from "../../tenants/roles/index.ts";
import { textWithoutNames } from "../console/index.ts";
import type { Opened } from "../database/index.ts";
import type { RunCommand } from "../operator/index.ts";
import { exitCodes } from "../setup/index.ts";
import { actsByCommand } from "./act-command.ts";
import { nameOf } from "./command-words.ts";
import { explain } from "./explain.ts";
import { commandsOfKeys } from "./over-http-keys.ts";
import { inRequest, type RemoteRun } from "./terminal.ts";

/** Commands that read, and the permission that a user needs. Commands that do an act need that of the act. */
export const readsOverHttp: Readonly<Record<string, Permission>> = {
  ...of("read", [
    ...["accounts get", "accounts list", "events get", "events list", "keys list"],
    ...["ledger balance", "ledger funding", "payouts get", "payouts list", "payouts set-aside"],
    ...["receivers get", "receivers list", "subaccount list", "subaccount show"],
    "completion",
  ]),
  ...of("audit.read", ["audit list"]),
  ...of("banks.read", [
    ...["bank-batches list", "bank-batches recalls", "bank-files list", "banks list"],
    ...["statements closings", "statements doubtful", "statements exceptions", "statements list"],
    ...["statements open", "statements position", "statements show", "suspense list"],
    "suspense show",
  ]),
  ...of("banks.write", ["banks formats", "banks show"]),
  ...of("reviews.read", [
    ...["reviews list", "screening embargo list", "screening hits", "screening lists"],
    "screening status",
  ]),
  ...of("rules.read", ["rules history", "rules show"]),
  ...of("users.read", ["users list"]),
};

/**
 * Acts that a user does at the console alone: there they type what the command does not ask for, or decide about what they
 * have looked at.
 */
export const notOverHttp: ReadonlySet<string> = new Set([
  ...["payout.refuse", "payout.release", "review.approve", "review.reject", "subaccount.close"],
]);

function of(permission: Permission, commands: readonly string[]): Record<string, Permission> {
  return Object.fromEntries(commands.map((command) => [command, permission]));
}

/** `newProgram`: the commands. */
export const commandRunner =
  (newProgram: () => Command): RunCommand =>
  async ({ db, seal, clock, rails, providers }, by, { words, files, terminal }) => {
    const run: RemoteRun = {
      stdout: [],
      stderr: [],
      exitCode: 0,
      terminal,
      withoutHiddenNames: (text) => textWithoutNames(by, text),
      files: new Map(Object.entries(files).map(([path, text]) => [path, bytesOf(text)])),
      opened: { db, seal } as Opened,
      ...{ rails, providers },
      ...by,
    };
    await inRequest(run, async () => {
      try {
        const program = newProgram();
        program.hook("preAction", (_, command) => requireAllowed(command, run, clock()));
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
    return { exit_code: run.exitCode, ...printed, ...needs };
  };

const bytesOf = (base64: string) => Buffer.from(base64, "base64");

function exitCodeOf(error: unknown): number {
  if (!(error instanceof CommanderError)) return explain(error);
  return error.exitCode === 0 ? 0 : exitCodes.usage;
}

/** What the gate checks for a route, with the same refusals. */
function requireAllowed(command: Command, run: RemoteRun, nowMs: number): void {
  const { user, session, caller } = run;
  const act = actsByCommand.get(command);
  const name = nameOf(command);
  if (caller) {
    const scope = commandsOfKeys[name];
    if (!scope) throw new Refusal("OPER111");
    if (!caller.scopes?.has(scope)) throw new Refusal("AUTH110");
    return;
  }
  if (!user || !session) throw new Error("a command over HTTP is of a user or an API key");
  if (!act) {
    const permission = readsOverHttp[name];
    if (!permission) throw new Refusal("OPER110");
    if (!may(user, permission)) throw new Refusal("CONS102");
    return;
  }
  if (!act.doors.includes("console") || notOverHttp.has(act.name)) throw new Refusal("OPER110");
  requireToken(act.tokens, session, nowMs);
  if (!may(user, act.may)) throw new Refusal("CONS102");
  if (act.stepUp && !isProven(session, nowMs)) throw new Refusal("CONS103");
}

function requireToken(tokens: TokensOfAct | undefined, session: Session, nowMs: number): void {
  if (tokens === undefined) return;
  if (tokens === "none" || !session.token?.isLogin) throw new Refusal("OPER105");
  if (!isProven(session, nowMs)) throw new Refusal("CONS103");
}
