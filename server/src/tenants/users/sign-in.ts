// Records a sign-in, and ends the session that the browser had before.

import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { type Actor, audited, userActorName } from "../audit/index.ts";
import type { Session } from "../roles/index.ts";
import {
  deleteInvitationOf,
  deleteSession,
  updateSessionProven,
  updateUserSignedIn,
} from "../user-records/index.ts";

/** The library's name for the company's identity provider. It is part of the URL that users return to. */
export const oidcProviderId = "oidc";

export type SignInMethod = "password" | "passkey" | "oidc";

export async function userSignedIn(
  { db, seal }: { db: Db; seal: Seal },
  { id, user }: Session,
  {
    by,
    former,
    provenAtMs,
    ip,
    requestId,
  }: Pick<Actor, "ip" | "requestId"> & {
    by: SignInMethod;
    former: Session | undefined;
    /** The time of the proof, if it is not now. 0: the sign-in was no proof. */
    provenAtMs?: number | undefined;
  },
): Promise<void> {
  const actor: Actor = {
    kind: "user",
    who: userActorName(user),
    ip,
    requestId,
    userId: user.id,
    subaccountId: user.subaccountIds?.[0],
  };
  const entry = { action: "session.start", object: { kind: "session", id }, after: { by } };
  await audited({ db, seal }, actor).transaction(entry, async (tx) => {
    await updateUserSignedIn(tx, user.id);
    await deleteInvitationOf(tx, user.id);
    if (provenAtMs !== undefined) await updateSessionProven(tx, { id, nowMs: provenAtMs });
    if (former) await deleteSession(tx, { id: former.id });
  });
}
