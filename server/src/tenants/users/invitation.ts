// Links that set a password, and work once: set-up, invitation, reset.

import { createHash, randomBytes } from "node:crypto";
import { hashPassword } from "@better-auth/utils/password";
import { type Clock, newId } from "../../platform/base/index.ts";
import { type Db, isUniqueViolation, type Runner, type Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { type Actor, recordAct, userActorName } from "../audit/index.ts";
import { type Role, requireUserEmail } from "../roles/index.ts";
import {
  deleteSessionsOf,
  findInvitation,
  hasAnAdmin,
  insertUser,
  renewAccessGrant,
  replaceInvitation,
  replaceSetUpInvitation,
  updateUserName,
  upsertPassword,
  useInvitation,
} from "../user-records/index.ts";
import { requireStrongPassword } from "./password.ts";

const tokenBytes = 32;

function newToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(tokenBytes).toString("base64url");
  return { token, tokenHash: hashOf(token) };
}

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** The token stands after the #, which browsers do not send: no log and no proxy sees it. */
export function linkOf(consoleUrl: string, token: string): string {
  return `${consoleUrl}/console/set-up#${token}`;
}

/** For an installation without an admin. Only the newest link works. */
export async function newSetUpToken(db: Db, nowMs = Date.now()): Promise<string | undefined> {
  if (await hasAnAdmin(db)) return undefined;
  const { token, tokenHash } = newToken();
  await replaceSetUpInvitation(db, tokenHash, nowMs + limits.invitationMs);
  return token;
}

/** Creates a new link for the user. Earlier links stop working. */
export async function newInvitationLink(
  tx: Tx,
  { userId, madeBy, nowMs }: { userId: string; madeBy: string; nowMs: number },
): Promise<{ id: string; token: string; expires_at: number }> {
  const { token, tokenHash } = newToken();
  const expiresAtMs = nowMs + limits.invitationMs;
  await replaceInvitation(tx, { tokenHash, userId, madeBy, expiresAtMs });
  return { id: userId, token, expires_at: expiresAtMs };
}

type Invited = { email: string; name: string; role: Role };

/** The user of a link. A set-up link has no email yet. */
export async function readInvitation(
  db: Runner,
  { token, nowMs }: { token: string; nowMs: number },
): Promise<Invited> {
  const found = await findInvitation(db, { tokenHash: hashOf(token), nowMs });
  if (!found || (!found.user_id && (await hasAnAdmin(db)))) throw new Refusal("CONS203");
  return { email: found.email ?? "", name: found.name ?? "", role: found.role ?? "admin" };
}

type Acceptance = { token: string; name: string; email: string; password: string };

/** Uses up the link and sets the password. The set-up link creates the first admin. All sessions of this user end. */
export async function acceptInvitation(
  { db, seal, clock }: { db: Db; seal: Seal; clock: Clock },
  { token, name, email, password }: Acceptance,
  { ip, requestId }: Pick<Actor, "ip" | "requestId">,
): Promise<{ email: string }> {
  const nowMs = clock();
  const { email: invited } = await readInvitation(db, { token, nowMs });
  const address = invited || email.toLowerCase();
  requireStrongPassword(password, { email: address });
  requireUserEmail(address);
  const hash = await hashPassword(password);
  try {
    return await db.transaction(async (tx) => {
      const used = await useInvitation(tx, { tokenHash: hashOf(token), nowMs });
      if (!used || (!used.user_id && (await hasAnAdmin(tx)))) throw new Refusal("CONS203");
      const userId = used.user_id ?? newId();
      if (!used.user_id) await insertUser(tx, { id: userId, name, email, role: "admin" });
      else {
        await updateUserName(tx, { id: userId, name });
        // The admin who made the link could have used it.
        await renewAccessGrant(tx, { userId, madeBy: used.made_by, atMs: nowMs });
      }
      await upsertPassword(tx, { id: newId(), userId, hash });
      await deleteSessionsOf(tx, userId);
      const who = userActorName({ email: address });
      const actor: Actor = { kind: "user", who, ip, requestId, userId: userId };
      await recordAct({ tx, seal }, actor, {
        action: used.user_id ? "person.join" : "person.set-up",
        object: { kind: "person", id: userId },
        subaccountId: used.subaccount_id ?? undefined,
      });
      return { email: address };
    });
  } catch (error) {
    if (isUniqueViolation(error, "user_email_taken")) throw new Refusal("CONS205");
    throw error;
  }
}
