// The SQL of access grants: which admin invited, reset or changed which user. Until another admin confirms the user, the
// two count as one. The table's name, user_vouch, is older.

import { type Runner, statement, type Tx } from "../../platform/db/index.ts";
import type { Actor } from "../audit/index.ts";

const upsert = statement<never>(
  "user-access-grant",
  `insert into user_vouch (user_id, voucher, at_ms) values ($1, $2, $3)
   on conflict (user_id, voucher)
   do update set at_ms = excluded.at_ms, confirmed_by = '', confirmed_at_ms = null`,
);

/** Records an invitation, a reset or a change of role. */
export async function recordAccessGrant(
  tx: Tx,
  { userId, actor, atMs }: { userId: string; actor: Actor; atMs: number },
): Promise<void> {
  // The command line is outside the rule of four eyes.
  if (actor.kind === "command") return;
  await tx.run(upsert, [userId, actor.who, atMs]);
}

const renew = statement<never>(
  "user-access-grant-renew",
  `update user_vouch set at_ms = $3, confirmed_by = '', confirmed_at_ms = null
   where user_id = $1 and voucher = $2`,
);

/** The user's link was used. A confirmation of before can't cover that. Links made by commands have no grant. */
export async function renewAccessGrant(
  tx: Tx,
  { userId, madeBy, atMs }: { userId: string; madeBy: string; atMs: number },
): Promise<void> {
  await tx.run(renew, [userId, madeBy, atMs]);
}

const setUpGrant = statement<never>(
  "user-access-grant-set-up",
  `insert into user_vouch (user_id, voucher, at_ms, confirmed_by, confirmed_at_ms)
   values ($1, 'set-up', $3, $2, $3)`,
);

/** The second admin of the set-up has confirmed that the first is another person. */
export async function recordSetUpConfirmed(
  tx: Tx,
  { userId, who, atMs }: { userId: string; who: string; atMs: number },
): Promise<void> {
  await tx.run(setUpGrant, [userId, who, atMs]);
}

const grantsOf = statement<{ voucher: string }>(
  "user-access-grants",
  "select voucher from user_vouch where user_id = $1 and confirmed_at_ms is null order by at_ms for update",
);

/** The admins whose grants no other admin has confirmed. The grants stay locked until the end of the transaction. */
export async function lockUnconfirmedGrants(tx: Tx, userId: string): Promise<string[]> {
  return (await tx.run(grantsOf, [userId])).map(({ voucher }) => voucher);
}

const confirmAll = statement<never>(
  "user-access-confirm",
  `update user_vouch set confirmed_by = $2, confirmed_at_ms = $3
   where user_id = $1 and confirmed_at_ms is null`,
);

export async function updateGrantsConfirmed(
  tx: Tx,
  { userId, who, atMs }: { userId: string; who: string; atMs: number },
): Promise<void> {
  await tx.run(confirmAll, [userId, who, atMs]);
}

type UnconfirmedUser = { id: string; email: string; granted_by: string[]; at_ms: string };

const listUnconfirmed = statement<UnconfirmedUser>(
  "users-unconfirmed",
  `select u.id, u.email, array_agg(v.voucher order by v.at_ms) as granted_by, max(v.at_ms) as at_ms
   from user_vouch v join console_user u on u.id = v.user_id
   where v.confirmed_at_ms is null and u.disabled_at is null group by u.id order by max(v.at_ms) desc`,
);

/** Users who count as the admins that granted them access. Newest first. */
export function listUnconfirmedUsers(db: Runner): Promise<UnconfirmedUser[]> {
  return db.run(listUnconfirmed);
}
