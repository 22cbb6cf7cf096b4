// What goes with a log-in: it is written down, and the session that the browser had before ends.

import { recordAct } from "../audit/record.ts";
import type { Db } from "../db/connect.ts";
import type { Seal } from "../seal.ts";
import { type Doer, type Session, whoIs } from "./person.ts";
import { updatePersonLoggedIn } from "./queries.ts";
import { deleteSession } from "./session-queries.ts";

/** As the library knows the company's identity provider, and the address that people come back to. */
export const oidcProviderId = "oidc";

export type LogInWay = "password" | "passkey" | "oidc";

export async function personEntered(
  { db, seal }: { db: Db; seal: Seal },
  { id, person }: Session,
  { by, former, ...doer }: Omit<Doer, "who"> & { by: LogInWay; former: Session | undefined },
): Promise<void> {
  await db.transaction(async (tx) => {
    await updatePersonLoggedIn(tx, person.id);
    if (former) await deleteSession(tx, { id: former.id });
    await recordAct(
      { tx, seal },
      {
        ...doer,
        who: whoIs(person),
        action: "session.start",
        object: { kind: "session", id },
        subaccountId: person.subaccountId,
        after: { by },
      },
    );
  });
}
