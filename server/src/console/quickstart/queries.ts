// The SQL of a developer's progress.

import { type Runner, statement } from "../../db/connect.ts";

type KeysSeen = {
  /** The newest valid key. */
  key: string | null;
  created_at_ms: number | null;
  /** When one of its keys was first used, if known. */
  used_at_ms: number | null;
};

const findKeys = statement<KeysSeen>(
  "quickstart-keys",
  `select k.key, (extract(epoch from k.created_at) * 1000)::float8 as created_at_ms,
          (extract(epoch from u.used_at) * 1000)::float8 as used_at_ms
   from (
     select min(s.last_used_at) as used_at from api_key a join api_secret s on s.key = a.key
     where a.subaccount_id = $1
   ) u
   left join lateral (
     select key, created_at from api_key
     where subaccount_id = $1 and revoked_at is null and (expires_at is null or expires_at > now())
     order by created_at desc, key limit 1
   ) k on true`,
);

export async function findKeysSeen(db: Runner, subaccountId: string): Promise<KeysSeen> {
  const [row] = await db.run(findKeys, [subaccountId]);
  return row ?? { key: null, created_at_ms: null, used_at_ms: null };
}

const lookedAt = 1_000;

const findReceiver = statement<{ created_at_ms: string }>(
  "quickstart-receiver",
  // Only the first and the last ones: users may have added any number between.
  `select min(r.created_at_ms) as created_at_ms from (
     (select created_by, created_at_ms from receiver where subaccount_id = $1 order by id limit ${lookedAt})
     union all
     (select created_by, created_at_ms from receiver where subaccount_id = $1 order by id desc limit ${lookedAt})
   ) r
   where r.created_by like 'key:ak\\_%'
   having count(*) > 0`,
);

/** When a program created the first receiver. Undefined: never. */
export async function findReceiverByKey(
  db: Runner,
  subaccountId: string,
): Promise<number | undefined> {
  const [row] = await db.run(findReceiver, [subaccountId]);
  return row && Number(row.created_at_ms);
}
