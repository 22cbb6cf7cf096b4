// A passkey instead of a password, for the user of a link. The sign-in library verifies the passkey first; then the link is
// used up, and the passkey belongs to its user. This file passes that step on to the library, through the async context.

import { AsyncLocalStorage } from "node:async_hooks";
import { APIError } from "better-auth/api";

type SetUpByPasskey = {
  /** Who the passkey is for, as the browser shows it. */
  user: { id: string; name: string; displayName: string };
  /** Uses up the link. Returns the id of the user. */
  accept: () => Promise<string>;
  /** Why it was refused. The library does not pass it on. */
  refusal?: unknown;
};

const current = new AsyncLocalStorage<SetUpByPasskey>();

/** Runs `ask`, which asks the library, and throws the refusal of `accept`. */
export async function settingUpByPasskey<Result>(
  setUp: SetUpByPasskey,
  ask: () => Promise<Result>,
): Promise<Result> {
  try {
    return await current.run(setUp, ask);
  } catch (error) {
    throw setUp.refusal ?? error;
  }
}

/** Without a link the library refuses. */
export async function userSettingUp(): Promise<SetUpByPasskey["user"]> {
  const setUp = current.getStore();
  if (!setUp) throw new APIError("UNAUTHORIZED", { code: "NO_LINK" });
  return setUp.user;
}

/** The passkey is verified. Undefined: it is of a user who is signed in. */
export async function acceptedByPasskey(): Promise<{ userId: string } | undefined> {
  const setUp = current.getStore();
  if (!setUp) return undefined;
  try {
    return { userId: await setUp.accept() };
  } catch (error) {
    setUp.refusal = error;
    throw new APIError("BAD_REQUEST", { code: "NOT_ACCEPTED" });
  }
}
