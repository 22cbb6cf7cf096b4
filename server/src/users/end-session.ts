// Ends sessions: what they open is closed from the next call on.

import type { Actor } from "../audit/actor.ts";
import { audited } from "../audit/audited.ts";
import type { Db } from "../db/connect.ts";
import type { Seal } from "../seal.ts";
import { deleteSession, deleteSessionsOf } from "./session-queries.ts";

/** False where there is no such session, or none of this person. */
export async function endSession(
  { db, seal }: { db: Db; seal: Seal },
  session: { id: string; personId: string | undefined },
  actor: Actor,
): Promise<boolean> {
  const ended = await audited({ db, seal }, actor).transaction<{ personId: string } | undefined>(
    (found) =>
      found && {
        action: "session.end",
        object: { kind: "person", id: found.personId },
        after: { session_id: session.id },
      },
    (tx) => deleteSession(tx, session),
  );
  return ended !== undefined;
}

/** All of a person's. How many there were. */
export function endSessionsOf(
  { db, seal }: { db: Db; seal: Seal },
  personId: string,
  actor: Actor,
): Promise<number> {
  return audited({ db, seal }, actor).transaction<number>(
    (sessions) => ({
      action: "session.end",
      object: { kind: "person", id: personId },
      after: { sessions },
    }),
    (tx) => deleteSessionsOf(tx, personId),
  );
}
