// An actor: an API key, a user of the console, the command line, a provider or the service itself. Histories and the
// audit log name it by `who`. The names are stored, so they never change: `operator:<email>` is a user, and in entries
// of earlier versions `operator:<name>` may be a command.

import { type Caller, whoOf } from "../../platform/base/index.ts";

type ActorKind = "key" | "user" | "command" | "provider" | "service";

export type Actor = {
  kind: ActorKind;
  /** Its name in histories and in the audit log. */
  who: string;
  /** Empty for the command line. */
  ip: string;
  requestId: string;
  /** Set for a user. */
  userId?: string | undefined;
  /** The name of the user's token with which a program did it. */
  token?: string | undefined;
  /** The subaccount whose data the actor works on. Undefined if there is no single one. */
  subaccountId?: string | undefined;
};

export type UserActor = Actor & { kind: "user"; userId: string };

/** An API key. */
export function keyActor(caller: Caller, ip: string): Actor & { subaccountId: string } {
  const { subaccountId, requestId } = caller;
  return { kind: "key", who: whoOf(caller), ip, requestId, subaccountId };
}

/** A user of the console, by email. */
export function userActorName({ email }: { email: string }): string {
  return `operator:${email}`;
}

/** A command: `command:root`, or `command:root as ana` where a name was given with --by. That name is only claimed. */
export function commandActorName(systemUser: string, claimed?: string): string {
  const name = `command:${systemUser.replace(/\s/g, "-")}`;
  return claimed === undefined ? name : `${name} as ${claimed}`;
}

/** Whether a user or a command did it. */
export function isPerson(who: string): boolean {
  return /^(operator|command):/.test(who);
}

/** The actor without a claimed name: every command of one user of the system is the same actor. */
export function provenName(who: string): string {
  return who.replace(/^(command:\S+) as .*$/s, "$1");
}

/** The proven name of an actor, and those it had in earlier versions: they named a command like a user. */
export function provenNames(who: string): string[] {
  const [, systemUser, claimed] = /^command:(\S+)(?: as (.*))?$/s.exec(who) ?? [];
  if (systemUser === undefined) return [who];
  const older = [systemUser, claimed].flatMap((name) => (name ? [`operator:${name}`] : []));
  return [provenName(who), ...older];
}

/** Shows that a user or a command did it, not which one: for callers of the API. */
export function withoutName(who: string): string {
  return isPerson(who) ? "operator" : who;
}
