// What goes with a log-in: it is written down, and the session that the browser had before ends.

import { recordAct } from "../audit/record.ts";
import type { Db } from "../db/connect.ts";
import type { Seal } from "../seal.ts";
import { deleteInvitationOf } from "./invitation-queries.ts";
import { updatePersonLoggedIn } from "./queries.ts";
import { deleteSession, updateSessionProven } from "./session-queries.ts";
import { type Doer, type Session, whoIs } from "./user.ts";

/** As the library knows the company's identity provider, and the address that people come back to. */
export const oidcProviderId = "oidc";

export type LogInWay = "password" | "passkey" | "oidc";

export async function personEntered(
  { db, seal }: { db: Db; seal: Seal },
  { id, person }: Session,
  {
    by,
    former,
    provenAtMs,
    ...doer
  }: Omit<Doer, "who"> & {
    by: LogInWay;
    former: Session | undefined;
    /** Where it is not now. 0: what let the person in was no proof. */
    provenAtMs?: number | undefined;
  },
): Promise<void> {
  await db.transaction(async (tx) => {
    await updatePersonLoggedIn(tx, person.id);
    await deleteInvitationOf(tx, person.id);
    if (provenAtMs !== undefined) await updateSessionProven(tx, { id, nowMs: provenAtMs });
    if (former) await deleteSession(tx, { id: former.id });
    await recordAct(
      { tx, seal },
      {
        ...doer,
        who: whoIs(person),
        action: "session.start",
        object: { kind: "session", id },
        subaccountId: person.subaccountIds?.[0],
        after: { by },
      },
    );
  });
}
