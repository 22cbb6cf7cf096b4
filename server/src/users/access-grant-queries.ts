// The SQL of access grants: which admin invited, reset or changed which user. For a day, the two can't approve for each
// other. The table's name, user_vouch, is older.

import type { Actor } from "../audit/actor.ts";
import { type Runner, statement, type Tx } from "../db/connect.ts";

const upsert = statement<never>(
  "user-access-grant",
  `insert into user_vouch (user_id, voucher, at_ms) values ($1, $2, $3)
   on conflict (user_id, voucher) do update set at_ms = excluded.at_ms`,
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

const newUsers = statement<{ count: number; at_ms: string | null }>(
  "overview-users-new",
  `select count(distinct user_id)::int as count, max(at_ms) as at_ms from user_vouch where at_ms > $1`,
);

/** Users who were invited or reset, or whose role was changed, since then. */
export async function countNewUsers(
  db: Runner,
  fromMs: number,
): Promise<{ count: number; at_ms: string | null } | undefined> {
  return (await db.run(newUsers, [fromMs]))[0];
}
