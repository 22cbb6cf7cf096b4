// A signed-in user proves their identity again, as sensitive actions require.

import { verifyPassword } from "@better-auth/utils/password";
import type { Actor } from "../audit/actor.ts";
import { audited } from "../audit/audited.ts";
import type { Clock } from "../clock.ts";
import type { Db } from "../db/connect.ts";
import { Refusal } from "../refusals/refusals.ts";
import type { Seal } from "../seal.ts";
import { attemptSucceeded, requireFewAttempts } from "./attempts.ts";
import { findPasswordHash } from "./queries.ts";
import { updateSessionProven } from "./session-queries.ts";
import type { SignInMethod } from "./sign-in.ts";
import type { Session } from "./user.ts";

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
