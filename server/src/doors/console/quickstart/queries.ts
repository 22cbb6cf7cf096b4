// The SQL of the progress of developers and operators.

import { type Runner, statement } from "../../../platform/db/index.ts";

type KeysSeen = {
  /** The newest valid key, if possible one whose secret the user has seen. */
  key: string | null;
  /** When a secret was first shown to the user. */
  seen_at_ms: number | null;
  /** When a key of which the user has seen a secret was first used, if known. */
  used_at_ms: number | null;
  /** The names in histories of the keys of which the user has seen a secret. */
  makers: string[];
};

const findKeys = statement<KeysSeen>(
  "quickstart-keys",
  `with mine as materialized (
     select key, min(seen_at) as seen_at from api_secret_seen where who = $2 and subaccount_id = $1 group by key
   )
   select k.key,
          (extract(epoch from (select min(seen_at) from mine)) * 1000)::float8 as seen_at_ms,
          (extract(epoch from (select min(s.last_used_at) from api_secret s join mine m on m.key = s.key)) * 1000)::float8 as used_at_ms,
          array(select 'key:' || key from mine) as makers
   from (select) one
   left join lateral (
     select a.key from api_key a left join mine m on m.key = a.key
     where a.subaccount_id = $1 and a.revoked_at is null and (a.expires_at is null or a.expires_at > now())
     order by m.key is null, a.created_at desc, a.key limit 1
   ) k on true`,
);

export async function findKeysSeen(
  db: Runner,
  { subaccountId, who }: { subaccountId: string; who: string },
): Promise<KeysSeen> {
  const [row] = await db.run(findKeys, [subaccountId, who]);
  return row ?? { key: null, seen_at_ms: null, used_at_ms: null, makers: [] };
}

const lookedAt = 1_000;

/** Only the first and the last ones: users may have added any number between. */
const firstAndLast = (table: "receiver" | "payout", isOne: string) => `
  (select created_by, created_at_ms from ${table} where ${isOne} order by id limit ${lookedAt})
  union all
  (select created_by, created_at_ms from ${table} where ${isOne} order by id desc limit ${lookedAt})`;

type CreatedAt = { created_at_ms: string };

const findReceiver = statement<CreatedAt>(
  "quickstart-receiver",
  `select min(r.created_at_ms) as created_at_ms from (${firstAndLast("receiver", "subaccount_id = $1")}) r
   where r.created_by = any($2) having count(*) > 0`,
);
const findPayout = statement<CreatedAt>(
  "quickstart-payout",
  `select min(r.created_at_ms) as created_at_ms from (${firstAndLast("payout", "subaccount_id = $1")}) r
   where r.created_by like 'key:ak\\_%' and r.created_at_ms >= $2 having count(*) > 0`,
);

/** When a program with one of these keys created the first receiver. Undefined: never. */
export async function findReceiverBy(
  db: Runner,
  { subaccountId, makers }: { subaccountId: string; makers: readonly string[] },
): Promise<number | undefined> {
  const [row] = await db.run(findReceiver, [subaccountId, makers]);
  return row && Number(row.created_at_ms);
}

/** When a program created the first payout since the user has a key. Only operators and admins create keys that may pay. */
export async function findPayoutSince(
  db: Runner,
  { subaccountId, sinceMs }: { subaccountId: string; sinceMs: number },
): Promise<number | undefined> {
  const [row] = await db.run(findPayout, [subaccountId, Math.floor(sinceMs)]);
  return row && Number(row.created_at_ms);
}

const findFirstFunds = statement<{ at_ms: number | null }>(
  "quickstart-funds",
  `select (select created_at_ms from ledger_transfer
     where subaccount_id = $1 and kind = 'fund' and reference <> $2 limit 1)::float8 as at_ms`,
);

/** When the subaccount was first funded, other than by sample data. Null: never. */
export async function findFunds(db: Runner, subaccountId: string): Promise<number | null> {
  const [row] = await db.run(findFirstFunds, [subaccountId, `console ${subaccountId}`]);
  return row?.at_ms ?? null;
}

const findActs = statement<{ action: string; at_ms: number }>(
  "quickstart-own-acts",
  `with seen as (
     (select * from audit_entry where who = $1 order by number limit ${lookedAt})
     union
     (select * from audit_entry where who = $1 order by number desc limit ${lookedAt})
   )
   select action, min(at_ms)::float8 as at_ms from seen
   where action = any($2) and (subaccount_id = $3 or action <> all($4))
     and request_id not in (select request_id from seen where action = 'subaccount.add_samples')
   group by action`,
);

type OwnActs = {
  who: string;
  actions: readonly string[];
  subaccountId: string;
  /** Of these only what the user did in the subaccount. */
  inSubaccountOnly: readonly string[];
};

/** When the user first did each, other than by adding sample data. Only their first and last entries are read. */
export async function findOwnActs(db: Runner, acts: OwnActs): Promise<Map<string, number>> {
  const { who, actions, subaccountId, inSubaccountOnly } = acts;
  const rows = await db.run(findActs, [who, actions, subaccountId, inSubaccountOnly]);
  return new Map(rows.map(({ action, at_ms }) => [action, at_ms]));
}
