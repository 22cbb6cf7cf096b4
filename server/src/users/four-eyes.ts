// Four eyes: who may approve what. A user can't approve what they made, what a key made whose secret they have seen,
// nor, for a day, what a user made whom they let in, or who let them in, by invitation, reset or a new role.

import type { Actor } from "../audit/actor.ts";
import type { Runner } from "../db/connect.ts";
import { limits } from "../limits.ts";
import { type Code, Refusal } from "../refusals/refusals.ts";
import { type Conflict, findConflicts } from "./four-eyes-queries.ts";

/** Who approves, and when. */
type Approval = Pick<Actor, "who"> & { atMs: number };

const codes: Record<Conflict, Code> = {
  made: "CONS402",
  "saw-secret": "CONS407",
  "access-grant": "CONS408",
};

/** `makers` are those who made it, as histories name them: users, and keys. */
export async function requireOtherUser(
  db: Runner,
  makers: readonly string[],
  approval: Approval,
): Promise<void> {
  const [conflict] = await conflictsOf(db, [makers], approval);
  if (conflict) throw new Refusal(codes[conflict]);
}

/** One for each, in their order; undefined where nothing is in the way. */
export function conflictsOf(
  db: Runner,
  made: readonly (readonly string[])[],
  { who, atMs }: Approval,
): Promise<(Conflict | undefined)[]> {
  return findConflicts(db, made, { who, sinceMs: atMs - limits.accessGrantMs });
}
