// Ends sessions: what they open is closed from the next call on.

import { recordAct } from "../audit/record.ts";
import type { Db } from "../db/connect.ts";
import type { Seal } from "../seal.ts";
import { deleteSession, deleteSessionsOf } from "./session-queries.ts";
import type { UserActor } from "./user.ts";

/** False where there is no such session, or none of this person. */
export function endSession(
  { db, seal }: { db: Db; seal: Seal },
  session: { id: string; personId: string | undefined },
  { who, ip, requestId }: UserActor,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const ended = await deleteSession(tx, session);
    if (!ended) return false;
    const object = { kind: "person", id: ended.personId };
    const act = { who, ip, requestId, action: "session.end", object, subaccountId: undefined };
    await recordAct({ tx, seal }, { ...act, after: { session_id: session.id } });
    return true;
  });
}

/** All of a person's. How many there were. */
export function endSessionsOf(
  { db, seal }: { db: Db; seal: Seal },
  personId: string,
  { who, ip, requestId }: UserActor,
): Promise<number> {
  return db.transaction(async (tx) => {
    const ended = await deleteSessionsOf(tx, personId);
    const object = { kind: "person", id: personId };
    const act = { who, ip, requestId, action: "session.end", object, subaccountId: undefined };
    await recordAct({ tx, seal }, { ...act, after: { sessions: ended } });
    return ended;
  });
}
