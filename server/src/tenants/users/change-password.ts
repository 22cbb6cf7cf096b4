// A user changes their password. All their other sessions end.

import { hashPassword } from "@better-auth/utils/password";
import { newId } from "../../platform/base/index.ts";
import { call, userSession } from "../acts/index.ts";
import { audited } from "../audit/index.ts";
import { deleteOtherSessions, upsertPassword } from "../user-records/index.ts";
import { requireStrongPassword } from "./password.ts";
import { GivenPassword } from "./schema.ts";

/** The password is hashed before the transaction. */
export const changePassword = call({
  name: "person.password",
  tokens: "none",
  summary: "change one's own password",
  object: "person",
  may: "read",
  stepUp: true,
  doors: ["console"],
  input: GivenPassword,
  async perform(parts, by, { password }) {
    const { id, user } = userSession(by);
    requireStrongPassword(password, user);
    const hash = await hashPassword(password);
    const entry = {
      action: "person.password",
      object: { kind: "person", id: user.id },
      subaccountId: user.subaccountIds?.[0],
    };
    await audited(parts, by.actor).transaction(entry, async (tx) => {
      await upsertPassword(tx, { id: newId(), userId: user.id, hash });
      await deleteOtherSessions(tx, { id, userId: user.id });
    });
  },
});
