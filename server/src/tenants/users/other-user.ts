// What the acts of admins on other users share.

import type { Runner } from "../../platform/db/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import type { Doing } from "../acts/index.ts";
import { findSubaccount } from "../subaccounts/index.ts";

/** A sign-in link is worth as much as a password, so users have to prove again who they are. */
export const ofOtherUsers = {
  object: "person",
  may: "users.write",
  stepUp: true,
  doors: ["console", "cli"],
} as const;

export const twoAdmins = "Invite a user, reset one, or give one another role";

export function requireOther({ session }: Pick<Doing, "session">, id: string): void {
  if (id === session?.user.id) throw new Refusal("CONS208");
}

type GivenSubaccounts = {
  subaccount_id?: string | null | undefined;
  subaccount_ids?: string[] | undefined;
};

/** The given subaccounts, which must exist. Undefined if none is given. */
export async function existingSubaccounts(
  db: Runner,
  { subaccount_id: one, subaccount_ids: several }: GivenSubaccounts,
): Promise<string[] | undefined> {
  const ids = several ?? (one === undefined ? undefined : one === null ? [] : [one]);
  for (const id of ids ?? []) {
    if (!(await findSubaccount(db, id))) throw new Refusal("CONS105");
  }
  return ids?.map((id) => id.toLowerCase());
}
