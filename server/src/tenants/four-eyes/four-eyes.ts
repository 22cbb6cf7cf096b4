// Four eyes: which user may approve which work. A user can't approve their own work, nor the work of a key whose secret
// they have seen. Until another admin confirms it, they also can't approve the work of a user whose access they granted,
// or who granted theirs, by invitation, reset or a new role. All commands of one user of the system are the work of one user.
// In a test subaccount one user is enough, unless it practises four eyes.

import type { Mode } from "../../platform/base/index.ts";
import type { Runner } from "../../platform/db/index.ts";
import { type Code, Refusal } from "../../platform/refusals/index.ts";
import { type Actor, provenName, provenNames } from "../audit/index.ts";
import { type Conflict, findConflicts, listOfOneUser } from "./four-eyes-queries.ts";

/**
 * The approving actor. `mode` is that of the money, if it is of one. `in`: the subaccount of the work, or of each work; none
 * for work of the company.
 */
type Approval = Pick<Actor, "who"> & {
  mode?: Mode | undefined;
  in?: string | readonly (string | undefined)[];
};

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
  if (conflict === "made" && !countsNames(approval) && isCommand(approval)) {
    throw new Refusal("CONS416");
  }
  if (conflict) throw new Refusal(codes[conflict]);
}

/** For each list of makers, in order: the conflict, or undefined if there is none. */
export async function conflictsOf(
  db: Runner,
  made: readonly (readonly string[])[],
  approval: Approval,
): Promise<(Conflict | undefined)[]> {
  const { who, in: places } = approval;
  const found = countsNames(approval)
    ? await findConflicts(db, made, [who])
    : await findConflicts(db, made.map(provenMakers), provenNames(who));
  const placeOf = (at: number) => (typeof places === "string" ? places : places?.[at]);
  const inConflict = found.map((conflict, at) => conflict && placeOf(at));
  const ofOneUser = await listOfOneUser(db, inConflict);
  return found.map((conflict, at) => (ofOneUser.has(placeOf(at) ?? "") ? undefined : conflict));
}

/** Whether one user may do in this subaccount what elsewhere takes two. */
export async function isOneUserEnough(db: Runner, subaccountId: string): Promise<boolean> {
  return (await listOfOneUser(db, [subaccountId])).has(subaccountId);
}

/** In test mode no real money moves, so a name given with --by is as good as a user. */
const countsNames = ({ mode }: Approval) => mode === "test";

const provenMakers = (makers: readonly string[]) => makers.map(provenName);

const isCommand = ({ who }: Approval) => who.startsWith("command:");
