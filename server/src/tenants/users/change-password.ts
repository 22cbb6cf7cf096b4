// A user changes their password. All their other sessions end.

import { hashPassword } from "@better-auth/utils/password";
import { newId } from "../../platform/base/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { type Actor, audited } from "../audit/index.ts";
import type { Session } from "../roles/index.ts";
import { deleteOtherSessions, upsertPassword } from "../user-records/index.ts";
import { requireStrongPassword } from "./password.ts";

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
