// A person chooses another password. Wherever else it is logged in, it is so no more.

import { hashPassword } from "@better-auth/utils/password";
import { recordAct } from "../audit/record.ts";
import type { Db } from "../db/connect.ts";
import { newId } from "../ids.ts";
import type { Seal } from "../seal.ts";
import { requireStrongPassword } from "./password.ts";
import { upsertPassword } from "./queries.ts";
import { deleteOtherSessions } from "./session-queries.ts";
import type { Session, UserActor } from "./user.ts";

export async function changePassword(
  { db, seal }: { db: Db; seal: Seal },
  { id, person }: Session,
  { password, who, ip, requestId }: UserActor & { password: string },
): Promise<void> {
  requireStrongPassword(password, person);
  const hash = await hashPassword(password);
  await db.transaction(async (tx) => {
    await upsertPassword(tx, { id: newId(), personId: person.id, hash });
    await deleteOtherSessions(tx, { id, personId: person.id });
    const object = { kind: "person", id: person.id };
    const subaccountId = person.subaccountIds?.[0];
    const act = { who, ip, requestId, action: "person.password", object, subaccountId };
    await recordAct({ tx, seal }, act);
  });
}
