// Ends sessions. The next request with such a session is refused.

import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { type Actor, audited } from "../audit/index.ts";
import { deleteAllSessions, deleteSession, deleteSessionsOf } from "../user-records/index.ts";

/** False if the user has no such session. */
export async function endSession(
  { db, seal }: { db: Db; seal: Seal },
  session: { id: string; userId: string | undefined },
  actor: Actor,
): Promise<boolean> {
  const ended = await audited({ db, seal }, actor).transaction<{ userId: string } | undefined>(
    (found) =>
      found && {
        action: "session.end",
        object: { kind: "person", id: found.userId },
        after: { session_id: session.id },
      },
    (tx) => deleteSession(tx, session),
  );
  return ended !== undefined;
}

/** Ends all sessions of a user, and returns their number. */
export function endSessionsOf(
  { db, seal }: { db: Db; seal: Seal },
  userId: string,
  actor: Actor,
): Promise<number> {
  return audited({ db, seal }, actor).transaction<number>(
    (sessions) => ({
      action: "session.end",
      object: { kind: "person", id: userId },
      after: { sessions },
    }),
    (tx) => deleteSessionsOf(tx, userId),
  );
}

/** Ends the sessions of all users, and returns their number. */
export function endAllSessions(
  { db, seal }: { db: Db; seal: Seal },
  actor: Actor,
): Promise<number> {
  return audited({ db, seal }, actor).transaction<number>(
    (sessions) => ({
      action: "session.end",
      object: { kind: "installation", id: "installation" },
      after: { sessions },
    }),
    deleteAllSessions,
  );
}
