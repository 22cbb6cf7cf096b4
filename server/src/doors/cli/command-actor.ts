// The actor of a command: the user of the system who runs it, and the name that they give with --by.

import { userInfo } from "node:os";
import type { Command } from "commander";
import type { Runner } from "../../platform/db/index.ts";
import { type Actor, commandActorName } from "../../tenants/audit/index.ts";
import { isNameOfUser } from "../../tenants/user-records/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { readLine } from "./option-values.ts";
import { remoteRun } from "./terminal.ts";

export function byOption(command: Command): Command {
  const meaning = "a name for the history and the audit log, next to your user name of the system";
  return command.option("--by <name>", meaning, readLine(100));
}

/** Refuses the name of a user of the console: the audit log would show a user who did nothing. */
export async function commandActor(db: Runner, by: string | undefined): Promise<Actor> {
  const run = remoteRun();
  if (run && by === undefined) return run.actor;
  if (run) {
    const who = run.user?.email ?? "an API key";
    const why = `You are ${who}: --by is for commands on the server.`;
    throw new CliError(why, exitCodes.usage);
  }
  if (by !== undefined && (await isNameOfUser(db, by))) {
    const instead = "Leave --by out, or give a name that no user has.";
    throw new CliError(`--by: ${by} is a user of the console. ${instead}`, exitCodes.usage);
  }
  return uncheckedCommandActor(by);
}

/** Where there is no database to look into yet. */
export function uncheckedCommandActor(by: string | undefined): Actor {
  return { kind: "command", who: commandActorName(systemUser(), by), ip: "", requestId: "" };
}

/** A user of a container may have a number and no name. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.() ?? "unknown"}`;
  }
}
