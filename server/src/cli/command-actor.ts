// The actor of a command: the name given with --by, or the user name of the shell.

import { userInfo } from "node:os";
import type { Command } from "commander";
import { type Actor, commandActorName } from "../audit/actor.ts";
import { readLine } from "./option-values.ts";

export function byOption(command: Command): Command {
  const meaning = "your name for the history and the audit log; your user name when absent";
  return command.option("--by <name>", meaning, readLine(100));
}

export function commandActor(by: string | undefined): Actor {
  return { kind: "command", who: commandActorName(by ?? userName()), ip: "", requestId: "" };
}

/** A user of a container may have a number and no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.() ?? "unknown"}`;
  }
}
