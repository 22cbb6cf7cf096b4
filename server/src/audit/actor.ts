// Who did something: an API key, a user of the console, the command line, a provider or the service itself.
// Histories and the audit name an actor by `who`; the names are stored, so they never change.

export type ActorKind = "key" | "user" | "command" | "provider" | "service";

export type Actor = {
  kind: ActorKind;
  /** How histories and the audit name it. */
  who: string;
  /** Empty for the command line. */
  ip: string;
  requestId: string;
  /** Set for a user. */
  userId?: string | undefined;
  /** The subaccount whose data the actor works on. Undefined where it concerns no single one. */
  subaccountId?: string | undefined;
};

export type UserActor = Actor & { kind: "user"; userId: string };

/** A user of the console, by email. */
export function userActorName({ email }: { email: string }): string {
  return `operator:${email}`;
}

/** The name that is given with --by, or the user name of the shell. */
export function commandActorName(name: string): string {
  return `operator:${name}`;
}
