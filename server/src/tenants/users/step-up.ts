// A signed-in user proves their identity again, as sensitive actions require.

import { verifyPassword } from "@better-auth/utils/password";
import { Refusal } from "../../platform/refusals/index.ts";
import { type ActBy, type ActParts, call, userSession } from "../acts/index.ts";
import { audited } from "../audit/index.ts";
import { findPasswordHash, updateSessionProven } from "../user-records/index.ts";
import { attemptSucceeded, requireFewAttempts } from "./attempts.ts";
import { GivenPassword } from "./schema.ts";
import type { SignInMethod } from "./sign-in.ts";

export const stepUpByPassword = call({
  name: "session.step-up",
  tokens: "none",
  summary: "prove again who one is",
  object: "session",
  may: "read",
  doors: ["console"],
  input: GivenPassword,
  async perform(parts, by, { password }) {
    const { id, user } = userSession(by);
    const attempt = { sessionId: id };
    await requireFewAttempts(parts, attempt);
    const hash = await findPasswordHash(parts.db, user.id);
    if (!hash || !(await verifyPassword(hash, password))) throw new Refusal("CONS201");
    await attemptSucceeded(parts, attempt);
    await stepUpBy(parts, by, "password");
  },
});

/** The proof is already verified. */
export async function stepUpBy(parts: ActParts, by: ActBy, method: SignInMethod): Promise<void> {
  const { id, user } = userSession(by);
  const entry = {
    action: "session.step-up",
    object: { kind: "session", id },
    subaccountId: user.subaccountIds?.[0],
    after: { by: method },
  };
  await audited(parts, by.actor).transaction(entry, (tx) =>
    updateSessionProven(tx, { id, nowMs: parts.clock() }),
  );
}
