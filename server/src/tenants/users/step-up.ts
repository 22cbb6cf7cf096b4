// A signed-in user proves their identity again, as sensitive actions require.

import { verifyPassword } from "@better-auth/utils/password";
import type { Clock } from "../../platform/base/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { type Actor, audited } from "../audit/index.ts";
import type { Session } from "../roles/index.ts";
import { findPasswordHash, updateSessionProven } from "../user-records/index.ts";
import { attemptSucceeded, requireFewAttempts } from "./attempts.ts";
import type { SignInMethod } from "./sign-in.ts";

type StepUpParts = { db: Db; seal: Seal; clock: Clock };

export async function stepUpByPassword(
  parts: StepUpParts,
  session: Session,
  actor: Actor,
  password: string,
): Promise<void> {
  const { id } = session.user;
  const attempt = { sessionId: session.id };
  await requireFewAttempts(parts, attempt);
  const hash = await findPasswordHash(parts.db, id);
  if (!hash || !(await verifyPassword(hash, password))) throw new Refusal("CONS201");
  await attemptSucceeded(parts, attempt);
  await stepUpBy(parts, session, actor, "password");
}

/** The proof is already verified. */
export async function stepUpBy(
  { db, seal, clock }: StepUpParts,
  { id, user }: Session,
  actor: Actor,
  by: SignInMethod,
): Promise<void> {
  const entry = {
    action: "session.step-up",
    object: { kind: "session", id },
    subaccountId: user.subaccountIds?.[0],
    after: { by },
  };
  await audited({ db, seal }, actor).transaction(entry, (tx) =>
    updateSessionProven(tx, { id, nowMs: clock() }),
  );
}
