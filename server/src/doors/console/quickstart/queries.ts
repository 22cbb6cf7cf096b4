// The SQL of the progress of developers and operators.

import { type Runner, statement } from "../../../platform/db/index.ts";

type KeysSeen = {
  /** The newest valid key. */
  key: string | null;
  /** When its secret was shown to a user, or first used, if known. A key of the first start may have a secret that no user has seen. */
  seen_at_ms: number | null;
  /** When one of its keys was first used, if known. */
  used_at_ms: number | null;
};

const findKeys = statement<KeysSeen>(
  "quickstart-keys",
  `select k.key, (extract(epoch from coalesce(k.seen_at, u.used_at)) * 1000)::float8 as seen_at_ms,
          (extract(epoch from u.used_at) * 1000)::float8 as used_at_ms
   from (
     select min(s.last_used_at) as used_at from api_key a join api_secret s on s.key = a.key
     where a.subaccount_id = $1
   ) u
   left join lateral (
     select a.key, (select min(seen_at) from api_secret_seen where subaccount_id = $1 and key = a.key) as seen_at
     from api_key a
     where a.subaccount_id = $1 and a.revoked_at is null and (a.expires_at is null or a.expires_at > now())
     order by a.created_at desc, a.key limit 1
   ) k on true`,
);

export async function findKeysSeen(db: Runner, subaccountId: string): Promise<KeysSeen> {
  const [row] = await db.run(findKeys, [subaccountId]);
  return row ?? { key: null, seen_at_ms: null, used_at_ms: null };
}

const lookedAt = 1_000;

/** Only the first and the last ones: users may have added any number between. */
const firstByKey = (table: "receiver" | "payout") => `
  select min(r.created_at_ms) as created_at_ms from (
     (select created_by, created_at_ms from ${table} where subaccount_id = $1 order by id limit ${lookedAt})
     union all
     (select created_by, created_at_ms from ${table} where subaccount_id = $1 order by id desc limit ${lookedAt})
   ) r
   where r.created_by like 'key:ak\\_%'
   having count(*) > 0`;

type CreatedAt = { created_at_ms: string };

const findReceiver = statement<CreatedAt>("quickstart-receiver", firstByKey("receiver"));
const findPayout = statement<CreatedAt>("quickstart-payout", firstByKey("payout"));

/** When a program created the first receiver. Undefined: never. */
export async function findReceiverByKey(
  db: Runner,
  subaccountId: string,
): Promise<number | undefined> {
  const [row] = await db.run(findReceiver, [subaccountId]);
  return row && Number(row.created_at_ms);
}

/** When a program created the first payout. Undefined: never. */
export async function findPayoutByKey(
  db: Runner,
  subaccountId: string,
): Promise<number | undefined> {
  const [row] = await db.run(findPayout, [subaccountId]);
  return row && Number(row.created_at_ms);
}

type FirstActs = Record<"fund" | "receiver" | "payout" | "approve", number | null>;

const findFirst = statement<FirstActs>(
  "quickstart-first-acts",
  `select
     (select created_at_ms from ledger_transfer where subaccount_id = $1 and kind = 'fund' limit 1)::float8 as fund,
     (select created_at_ms from receiver where subaccount_id = $1 order by id limit 1)::float8 as receiver,
     (select created_at_ms from payout where subaccount_id = $1 order by id limit 1)::float8 as payout,
     (select at_ms from payout_approval where subaccount_id = $1 order by payout_id limit 1)::float8 as approve`,
);

/** When each was first done, by whatever way. Null: never. */
export async function findFirstActs(db: Runner, subaccountId: string): Promise<FirstActs> {
  const [row] = await db.run(findFirst, [subaccountId]);
  return row ?? { fund: null, receiver: null, payout: null, approve: null };
}
