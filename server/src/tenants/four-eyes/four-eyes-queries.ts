// The SQL of the rule of four eyes: which users have seen which secret, and which of them can't approve for each other.

import { type Runner, statement, type Tx } from "../../platform/db/index.ts";
import { provenName } from "../audit/index.ts";

const insertSeen = statement<never>(
  "api-secret-seen",
  "insert into api_secret_seen (key, who) values ($1, $2) on conflict (key, who) do update set seen_at = now()",
);

export async function insertSecretSeen(
  tx: Tx,
  { key, who }: { key: string; who: string },
): Promise<void> {
  await tx.run(insertSeen, [key, provenName(who)]);
}

export type Conflict = "made" | "saw-secret" | "access-grant";

/** The access grants of the user `from` that no other admin has confirmed. */
const accessGrants = (from: string) =>
  `join console_user p on ${from}.who like 'operator:%' and p.email = substr(${from}.who, 10)
     join user_vouch v on v.user_id = p.id and v.confirmed_at_ms is null`;

const findMany = statement<{ call: number; made: boolean; saw: boolean }>(
  "four-eyes-conflicts",
  `with recursive maker(call, who) as materialized (
     select * from unnest($1::int[], $2::text[])
   ), author(call, who) as materialized (
     select call, who from maker
     union
     select m.call, s.who from maker m join api_secret_seen s on s.key = substr(m.who, 5)
     where m.who like 'key:%'
   ), hand(call, who) as (
     select call, who from author
     union
     select h.call, v.voucher from hand h ${accessGrants("h")}
   ), own(who) as (
     select unnest($3::text[])
     union
     select v.voucher from own o ${accessGrants("o")}
   )
   select call, bool_or(who = any($3) and (call, who) in (select call, who from maker)) as made,
          bool_or(who = any($3) and (call, who) in (select call, who from author)) as saw
   from hand where who in (select who from own) group by call`,
);

/** For each list of makers, in order: why the actor with these names can't approve their work, or undefined if they can. */
export async function findConflicts(
  db: Runner,
  made: readonly (readonly string[])[],
  names: readonly string[],
): Promise<(Conflict | undefined)[]> {
  const found: (Conflict | undefined)[] = new Array(made.length).fill(undefined);
  if (made.length === 0) return found;
  const calls = made.flatMap((makers, call) => makers.map(() => call));
  for (const row of await db.run(findMany, [calls, made.flat(), names])) {
    found[row.call] = row.made ? "made" : row.saw ? "saw-secret" : "access-grant";
  }
  return found;
}

const listTest = statement<{ id: string }>(
  "four-eyes-one-user",
  "select id from subaccount where id = any($1::uuid[]) and mode = 'test' and not needs_second_user",
);

/** Of these subaccounts, the test subaccounts where one user is enough. */
export async function listOfOneUser(
  db: Runner,
  subaccountIds: readonly (string | undefined)[],
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(subaccountIds.filter(Boolean))];
  if (ids.length === 0) return new Set();
  return new Set((await db.run(listTest, [ids])).map(({ id }) => id));
}
