// Every SQL statement about invitations: links that set a password, and work once.

import { type Runner, statement, type Tx } from "../../platform/db/index.ts";
import type { Role } from "../roles/index.ts";

const replaceSetUp = statement<never>(
  "invitation-set-up",
  `insert into invitation (token_hash, made_by, expires_at)
   select hash, name, $2 from unnest($1::bytea[], '{start,second}'::text[]) as made(hash, name)
   on conflict (made_by) where user_id is null
   do update set token_hash = excluded.token_hash, created_at = now(), expires_at = excluded.expires_at`,
);

/** The newest set-up links are the only ones that work. */
export async function replaceSetUpInvitations(
  db: Runner,
  tokenHashes: readonly Buffer[],
  expiresAtMs: number,
): Promise<void> {
  await db.run(replaceSetUp, [tokenHashes, new Date(expiresAtMs)]);
}

const lockSetUp = statement<never>(
  "invitation-set-up-lock",
  "select from invitation where user_id is null order by token_hash for update",
);

/** Two people who use the set-up links at once do so one after the other. */
export async function lockSetUpInvitations(tx: Tx): Promise<void> {
  await tx.run(lockSetUp);
}

const follow = statement<never>(
  "invitation-set-up-follow",
  "update invitation set first_admin_id = $1 where user_id is null",
);

/** The other set-up link is for the second admin from now on. */
export async function updateSetUpFollows(tx: Tx, firstAdminId: string): Promise<void> {
  await tx.run(follow, [firstAdminId]);
}

const replace = statement<never>(
  "invitation-replace",
  `insert into invitation (token_hash, user_id, made_by, expires_at) values ($1, $2, $3, $4)
   on conflict (user_id) do update set token_hash = excluded.token_hash, made_by = excluded.made_by,
     created_at = now(), expires_at = excluded.expires_at`,
);

type NewInvitation = {
  tokenHash: Buffer;
  userId: string;
  madeBy: string;
  expiresAtMs: number;
};

/** A user has one link at most: an older one stops working. */
export async function replaceInvitation(tx: Tx, invitation: NewInvitation): Promise<void> {
  const { tokenHash, userId, madeBy, expiresAtMs } = invitation;
  await tx.run(replace, [tokenHash, userId, madeBy, new Date(expiresAtMs)]);
}

type FoundInvitation = {
  /** Null: a set-up link. */
  user_id: string | null;
  /** Of the second set-up link, once the first was used. */
  first_admin_id: string | null;
  name: string | null;
  email: string | null;
  role: Role | null;
  subaccount_id: string | null;
};

// Set-up links of earlier versions have no expiry of their own.
const unexpired = "coalesce(i.expires_at, i.created_at + interval '24 hours') > $2";
const open = `${unexpired} and p.disabled_at is null`;

const find = statement<FoundInvitation>(
  "invitation-find",
  `select i.user_id, i.first_admin_id, p.name, p.email, p.role, p.subaccount_id from invitation i left join console_user p on p.id = i.user_id
   where i.token_hash = $1 and ${open}`,
);

export async function findInvitation(
  db: Runner,
  { tokenHash, nowMs }: { tokenHash: Buffer; nowMs: number },
): Promise<FoundInvitation | undefined> {
  const [row] = await db.run(find, [tokenHash, new Date(nowMs)]);
  return row;
}

const isOpen = statement<{ exists: boolean }>(
  "invitation-is-open",
  `select exists (select from invitation i where i.user_id = $1 and ${unexpired}) as exists`,
);

/** Whether a link could still set the user's password. */
export async function hasOpenInvitation(
  db: Runner,
  { userId, nowMs }: { userId: string; nowMs: number },
): Promise<boolean> {
  return (await db.run(isOpen, [userId, new Date(nowMs)]))[0]?.exists === true;
}

type UsedInvitation = FoundInvitation & { made_by: string };

const use = statement<UsedInvitation>(
  "invitation-use",
  `delete from invitation i using invitation j left join console_user p on p.id = j.user_id
   where i.token_hash = $1 and j.token_hash = i.token_hash and ${open}
   returning i.user_id, i.first_admin_id, i.made_by, p.name, p.email, p.role, p.subaccount_id`,
);

/** If two requests use the link at once, only the one that deletes it succeeds. */
export async function useInvitation(
  tx: Tx,
  { tokenHash, nowMs }: { tokenHash: Buffer; nowMs: number },
): Promise<UsedInvitation | undefined> {
  const [row] = await tx.run(use, [tokenHash, new Date(nowMs)]);
  return row;
}

const endOf = statement<never>("invitation-end", "delete from invitation where user_id = $1");

/** A user who has signed in needs no link any more. */
export async function deleteInvitationOf(tx: Tx, userId: string): Promise<void> {
  await tx.run(endOf, [userId]);
}
