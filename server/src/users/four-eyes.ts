// Four eyes: which user may approve which work. A user can't approve their own work, nor the work of a key whose secret
// they have seen. Until another admin confirms it, they also can't approve the work of a user whose access they granted,
// or who granted theirs, by invitation, reset or a new role.

import type { Actor } from "../audit/actor.ts";
import type { Runner } from "../db/connect.ts";
import { type Code, Refusal } from "../refusals/refusals.ts";
import { type Conflict, findConflicts } from "./four-eyes-queries.ts";

/** The approving actor. */
type Approval = Pick<Actor, "who"> & { atMs?: number };

const codes: Record<Conflict, Code> = {
  made: "CONS402",
  "saw-secret": "CONS407",
  "access-grant": "CONS408",
};

/** `makers` are the users and keys that made it, by the names in histories. */
export async function requireOtherUser(
  db: Runner,
  makers: readonly string[],
  approval: Approval,
): Promise<void> {
  const [conflict] = await conflictsOf(db, [makers], approval);
  if (conflict) throw new Refusal(codes[conflict]);
}

/** For each list of makers, in order: the conflict, or undefined if there is none. */
export function conflictsOf(
  db: Runner,
  made: readonly (readonly string[])[],
  { who }: Approval,
): Promise<(Conflict | undefined)[]> {
  return findConflicts(db, made, who);
}
