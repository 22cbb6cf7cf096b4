// Every SQL statement about sessions of users.

import { type Runner, statement, type Tx } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { Role, Session } from "../roles/index.ts";
import { subaccountsOf } from "./queries.ts";

type SessionRow = {
  id: string;
  proven_at: Date;
  user_id: string;
  name: string;
  email: string;
  role: Role;
  subaccount_ids: string[] | null;
  finance_may_approve: boolean;
  client: string | null;
};

const live = `s.expires_at > $2 and s.created_at > $2 - interval '${limits.sessionMs} ms'
       and (s.client is not null or s.seen_at > $2 - interval '${limits.sessionIdleMs} ms') and p.disabled_at is null`;

type Kind = "browser" | "command line";

/** A command line has proved what the user has proved in a browser. */
const ofKind = {
  browser: { is: "s.client is null", provenAt: "s.proven_at" },
  "command line": {
    is: "s.client is not null",
    provenAt:
      "coalesce((select max(b.proven_at) from user_session b where b.user_id = s.user_id and b.client is null), 'epoch')",
  },
};

const findOf = (kind: Kind) =>
  statement<SessionRow>(
    `person-session-find-${kind.replace(" ", "-")}`,
    `with found as (
     select s.id, ${ofKind[kind].provenAt} as proven_at, s.seen_at, s.client, s.user_id, p.name, p.email, p.role,
            ${subaccountsOf("p")} as subaccount_ids, i.finance_may_approve
     from user_session s join console_user p on p.id = s.user_id cross join installation i
     where s.token = $1 and ${ofKind[kind].is} and ${live}
   ), seen as (
     update user_session set seen_at = $2
     where $3 and id = (select id from found where seen_at < $2 - interval '${limits.sessionSeenMs} ms')
   )
   select * from found`,
  );
const findStatements = { browser: findOf("browser"), "command line": findOf("command line") };

/** The session of a token, while it is valid. Records the time of use. */
export async function findSessionByToken(
  db: Runner,
  {
    token,
    isUse,
    nowMs,
    kind = "browser",
  }: { token: string; isUse: boolean; nowMs: number; kind?: Kind },
): Promise<Session | undefined> {
  const [row] = await db.run(findStatements[kind], [token, new Date(nowMs), isUse]);
  if (!row) return undefined;
  const { id, name, email, role, client, finance_may_approve: financeMayApprove } = row;
  const subaccountIds = row.subaccount_ids ?? undefined;
  return {
    id,
    user: { id: row.user_id, name, email, role, subaccountIds, financeMayApprove },
    provenAtMs: row.proven_at.getTime(),
    ...(client !== null && { token: { name: `login on ${client}`, isLogin: true } }),
  };
}

const findLive = statement<{ id: string }>(
  "person-sessions-live",
  `select s.id from user_session s join console_user p on p.id = s.user_id
   where s.id = any($1::uuid[]) and ${live}`,
);

/** The ids of those sessions that are still valid. Does not count as a use. */
export async function findLiveSessions(
  db: Runner,
  { ids, nowMs }: { ids: readonly string[]; nowMs: number },
): Promise<Set<string>> {
  const rows = await db.run(findLive, [ids, new Date(nowMs)]);
  return new Set(rows.map(({ id }) => id));
}

const proven = statement<never>(
  "person-session-proven",
  "update user_session set proven_at = $2 where id = $1",
);

export async function updateSessionProven(
  db: Runner,
  { id, nowMs }: { id: string; nowMs: number },
): Promise<void> {
  await db.run(proven, [id, new Date(nowMs)]);
}

const removeOfUser = statement<{ id: string }>(
  "person-sessions-delete",
  "delete from user_session where user_id = $1 returning id",
);

export async function deleteSessionsOf(tx: Tx, userId: string): Promise<number> {
  return (await tx.run(removeOfUser, [userId])).length;
}

const removeAll = statement<{ id: string }>(
  "person-sessions-delete-all",
  "delete from user_session returning id",
);

/** Of all users. Returns their number. */
export async function deleteAllSessions(tx: Tx): Promise<number> {
  return (await tx.run(removeAll)).length;
}

const remove = statement<{ id: string; user_id: string }>(
  "person-session-delete",
  `delete from user_session where id = $1 and ($2::uuid is null or user_id = $2)
   returning id, user_id`,
);

/** Undefined if there is none. With a user, only a session of that user. */
export async function deleteSession(
  db: Runner,
  { id, userId }: { id: string; userId?: string | undefined },
): Promise<{ userId: string } | undefined> {
  const [row] = await db.run(remove, [id, userId ?? null]);
  return row && { userId: row.user_id };
}

const removeOthers = statement<never>(
  "person-sessions-delete-others",
  "delete from user_session where user_id = $1 and id <> $2",
);

export async function deleteOtherSessions(tx: Tx, { id, userId }: OwnSession): Promise<void> {
  await tx.run(removeOthers, [userId, id]);
}

type OwnSession = { id: string; userId: string };

export type SessionLine = {
  id: string;
  created_at: Date;
  seen_at: Date;
  expires_at: Date;
  ip_address: string | null;
  user_agent: string | null;
};

const list = statement<SessionLine>(
  "person-sessions-list",
  `select s.id, s.created_at, s.seen_at, s.expires_at, s.ip_address, s.user_agent
   from user_session s join console_user p on p.id = s.user_id
   where s.user_id = $1 and ${live} order by s.seen_at desc, s.id`,
);

export function listSessions(
  db: Runner,
  { userId, nowMs }: { userId: string; nowMs: number },
): Promise<SessionLine[]> {
  return db.run(list, [userId, new Date(nowMs)]);
}
