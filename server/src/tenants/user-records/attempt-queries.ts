// Every SQL statement about sign-in attempts.

import { type Runner, statement } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";

const windowStart = `$2::timestamptz - interval '${limits.logInWindowMs} ms'`;

const count = statement<{ source: string; failures: number; since: Date }>(
  "login-failure-count",
  `insert into login_failure (source, failures, since)
   select source, 1, $2 from unnest($1::text[]) source order by source
   on conflict (source) do update set
     failures = case when login_failure.since < ${windowStart} then 1 else login_failure.failures + 1 end,
     since = case when login_failure.since < ${windowStart} then excluded.since else login_failure.since end
   returning source, failures, since`,
);

export async function countAttempt(
  db: Runner,
  { sources, nowMs }: { sources: string[]; nowMs: number },
): Promise<{ source: string; failures: number; sinceMs: number }[]> {
  const rows = await db.run(count, [sources, new Date(nowMs)]);
  return rows.map(({ since, ...row }) => ({ ...row, sinceMs: since.getTime() }));
}

const forgive = statement<never>(
  "login-failure-forgive",
  `update login_failure
   set failures = case when source = any($1::text[]) then 0 else greatest(failures - 1, 0) end
   where source = any(array(
     select source from login_failure where source = any($1::text[] || $2::text[]) order by source for update))`,
);

/** Resets the counts that belong to this user alone. Counts that others share go down by one. */
export async function forgiveAttempt(
  db: Runner,
  { own, shared }: { own: string[]; shared: string[] },
): Promise<void> {
  await db.run(forgive, [own, shared]);
}

const expire = statement<never>(
  "people-expire",
  `with failures as (delete from login_failure where since < ${windowStart.replace("$2", "$1")}),
     sessions as (delete from user_session where expires_at < $1),
     requests as (delete from login_request where expires_at < $1),
     challenges as (delete from user_verification where expires_at < $1)
   delete from invitation where expires_at < $1`,
);

/** Deletes expired sessions, challenges, links and counts. */
export async function deleteExpiredLogIns(db: Runner, nowMs: number): Promise<void> {
  await db.run(expire, [new Date(nowMs)]);
}
