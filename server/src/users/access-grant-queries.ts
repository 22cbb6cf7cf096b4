// The SQL of who let whom in. For a day a user counts as one with the user who invited or reset them.

import type { Actor } from "../audit/actor.ts";
import { type Runner, statement, type Tx } from "../db/connect.ts";

const upsert = statement<never>(
  "person-vouch",
  `insert into user_vouch (user_id, voucher, at_ms) values ($1, $2, $3)
   on conflict (user_id, voucher) do update set at_ms = excluded.at_ms`,
);

/** Of an invitation, a reset or a change of role. */
export async function recordVouch(
  tx: Tx,
  { userId, actor, atMs }: { userId: string; actor: Actor; atMs: number },
): Promise<void> {
  // The command line is outside the rule of four eyes.
  if (actor.kind === "command") return;
  await tx.run(upsert, [userId, actor.who, atMs]);
}

const newUsers = statement<{ count: number; at_ms: string | null }>(
  "overview-people-new",
  `select count(distinct user_id)::int as count, max(at_ms) as at_ms from user_vouch where at_ms > $1`,
);

/** Users who were invited or reset, or whose role was changed, since then. */
export async function countNewUsers(
  db: Runner,
  fromMs: number,
): Promise<{ count: number; at_ms: string | null } | undefined> {
  return (await db.run(newUsers, [fromMs]))[0];
}
