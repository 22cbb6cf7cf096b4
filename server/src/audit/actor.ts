// An actor: an API key, a user of the console, the command line, a provider or the service itself. Histories and the
// audit log name it by `who`. The names are stored, so they never change.

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
  /** The subaccount whose data the actor works on. Undefined if there is no single one. */
  subaccountId?: string | undefined;
};

export type UserActor = Actor & { kind: "user"; userId: string };

/** A user of the console, by email. */
export function userActorName({ email }: { email: string }): string {
  return `operator:${email}`;
}

/** The name given with --by, or the user name of the shell. */
export function commandActorName(name: string): string {
  return `operator:${name}`;
}
