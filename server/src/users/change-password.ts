// A user changes their password. All their other sessions end.

import { hashPassword } from "@better-auth/utils/password";
import type { Actor } from "../audit/actor.ts";
import { audited } from "../audit/audited.ts";
import type { Db } from "../db/connect.ts";
import { newId } from "../ids.ts";
import type { Seal } from "../seal.ts";
import { requireStrongPassword } from "./password.ts";
import { upsertPassword } from "./queries.ts";
import { deleteOtherSessions } from "./session-queries.ts";
import type { Session } from "./user.ts";

export async function changePassword(
  { db, seal }: { db: Db; seal: Seal },
  { id, user }: Session,
  actor: Actor,
  password: string,
): Promise<void> {
  requireStrongPassword(password, user);
  const hash = await hashPassword(password);
  const entry = {
    action: "person.password",
    object: { kind: "person", id: user.id },
    subaccountId: user.subaccountIds?.[0],
  };
  await audited({ db, seal }, actor).transaction(entry, async (tx) => {
    await upsertPassword(tx, { id: newId(), userId: user.id, hash });
    await deleteOtherSessions(tx, { id, userId: user.id });
  });
}
