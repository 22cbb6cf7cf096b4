// Links that set a password or a passkey, and work once: set-up, invitation, reset.

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
  type FirstAdmin,
  findAdmin,
  findInvitation,
  hasAnAdmin,
  insertUser,
  lockSetUpInvitations,
  recordSetUpConfirmed,
  renewAccessGrant,
  replaceInvitation,
  replaceSetUpInvitations,
  updateSetUpFollows,
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

/**
 * For an installation without an admin: links for two admins, who are two persons. Only the newest links work. The first one
 * that is used makes the first admin, the other one the second, who confirms the first.
 */
export async function newSetUpTokens(
  db: Db,
  nowMs = Date.now(),
): Promise<{ first: string; second: string } | undefined> {
  if (await hasAnAdmin(db)) return undefined;
  const [first, second] = [newToken(), newToken()];
  const hashes = [first.tokenHash, second.tokenHash];
  await replaceSetUpInvitations(db, hashes, nowMs + limits.invitationMs);
  return { first: first.token, second: second.token };
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

type Invited = {
  email: string;
  name: string;
  role: Role;
  /** The first admin, whom the user of the second set-up link confirms. */
  first_admin: { name: string; email: string; at: number } | null;
};

/** The user of a link. A set-up link has no email yet. */
export async function readInvitation(
  db: Runner,
  { token, nowMs }: { token: string; nowMs: number },
): Promise<Invited> {
  const found = await findInvitation(db, { tokenHash: hashOf(token), nowMs });
  if (!found) throw new Refusal("CONS203");
  const first = found.user_id ? undefined : await firstAdminOf(db, found);
  return {
    email: found.email ?? "",
    name: found.name ?? "",
    role: found.role ?? "admin",
    first_admin: first
      ? { name: first.name, email: first.email, at: first.created_at.getTime() }
      : null,
  };
}

/** The admin whom the user of this set-up link has to confirm. Undefined: they become the first themselves. */
async function firstAdminOf(
  db: Runner,
  { first_admin_id }: { first_admin_id: string | null },
): Promise<FirstAdmin | undefined> {
  const first = first_admin_id ? await findAdmin(db, first_admin_id) : undefined;
  if (!first && (await hasAnAdmin(db))) throw new Refusal("CONS203");
  return first;
}

type Acceptance = {
  token: string;
  name: string;
  email: string;
  /** Undefined: a passkey instead, which is verified already. */
  password?: string | undefined;
  /** The email of the first admin, whom the second confirms. */
  confirms?: string | undefined;
};

type AcceptedFrom = Pick<Actor, "ip" | "requestId"> & {
  /** Whether the user with this email has signed in with this browser before. */
  isBrowserOf(email: string): boolean;
};

/** Uses up the link and sets the password, if there is one. A set-up link creates an admin. All sessions of this user end. */
export async function acceptInvitation(
  { db, seal, clock }: { db: Db; seal: Seal; clock: Clock },
  { token, name, email, password, confirms }: Acceptance,
  { ip, requestId, isBrowserOf }: AcceptedFrom,
): Promise<{ email: string; userId: string }> {
  const nowMs = clock();
  const { email: invited } = await readInvitation(db, { token, nowMs });
  const address = invited || email.toLowerCase();
  if (password !== undefined) requireStrongPassword(password, { email: address });
  requireUserEmail(address);
  const hash = password === undefined ? undefined : await hashPassword(password);
  try {
    return await db.transaction(async (tx) => {
      if (!invited) await lockSetUpInvitations(tx);
      const used = await useInvitation(tx, { tokenHash: hashOf(token), nowMs });
      if (!used) throw new Refusal("CONS203");
      const userId = used.user_id ?? newId();
      const first = used.user_id ? undefined : await firstAdminOf(tx, used);
      if (!used.user_id) {
        requireConfirmed(first, confirms, isBrowserOf);
        await insertUser(tx, { id: userId, name, email, role: "admin" });
        await updateSetUpFollows(tx, userId);
      } else {
        await updateUserName(tx, { id: userId, name });
        // The admin who made the link could have used it.
        await renewAccessGrant(tx, { userId, madeBy: used.made_by, atMs: nowMs });
      }
      if (hash !== undefined) await upsertPassword(tx, { id: newId(), userId, hash });
      await deleteSessionsOf(tx, userId);
      const who = userActorName({ email: address });
      const actor: Actor = { kind: "user", who, ip, requestId, userId: userId };
      await recordAct({ tx, seal }, actor, {
        action: used.user_id ? "person.join" : "person.set-up",
        object: { kind: "person", id: userId },
        subaccountId: used.subaccount_id ?? undefined,
      });
      if (first) {
        await recordSetUpConfirmed(tx, { userId: first.id, who, atMs: nowMs });
        await recordAct({ tx, seal }, actor, {
          action: "person.confirm",
          object: { kind: "person", id: first.id },
          after: { granted_by: ["set-up"] },
        });
      }
      return { email: address, userId };
    });
  } catch (error) {
    if (isUniqueViolation(error, "user_email_taken")) throw new Refusal("CONS205");
    throw error;
  }
}

/** One person with both links would have to say of themselves that they are another person: the audit log has it. */
function requireConfirmed(
  first: FirstAdmin | undefined,
  confirms: string | undefined,
  isBrowserOf: AcceptedFrom["isBrowserOf"],
): void {
  if (!first) return;
  if (confirms !== first.email) throw new Refusal("CONS213");
  if (isBrowserOf(first.email)) throw new Refusal("CONS214");
}
