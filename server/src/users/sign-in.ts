// What goes with a log-in: it is written down, and the session that the browser had before ends.

import { recordAct } from "../audit/record.ts";
import type { Db } from "../db/connect.ts";
import type { Seal } from "../seal.ts";
import { deleteInvitationOf } from "./invitation-queries.ts";
import { updateUserSignedIn } from "./queries.ts";
import { deleteSession, updateSessionProven } from "./session-queries.ts";
import { actorNameOf, type Session, type UserActor } from "./user.ts";

/** As the library knows the company's identity provider, and the address that people come back to. */
export const oidcProviderId = "oidc";

export type SignInMethod = "password" | "passkey" | "oidc";

export async function userSignedIn(
  { db, seal }: { db: Db; seal: Seal },
  { id, person }: Session,
  {
    by,
    former,
    provenAtMs,
    ...doer
  }: Omit<UserActor, "who"> & {
    by: SignInMethod;
    former: Session | undefined;
    /** Where it is not now. 0: what let the person in was no proof. */
    provenAtMs?: number | undefined;
  },
): Promise<void> {
  await db.transaction(async (tx) => {
    await updateUserSignedIn(tx, person.id);
    await deleteInvitationOf(tx, person.id);
    if (provenAtMs !== undefined) await updateSessionProven(tx, { id, nowMs: provenAtMs });
    if (former) await deleteSession(tx, { id: former.id });
    await recordAct(
      { tx, seal },
      {
        ...doer,
        who: actorNameOf(person),
        action: "session.start",
        object: { kind: "session", id },
        subaccountId: person.subaccountIds?.[0],
        after: { by },
      },
    );
  });
}
