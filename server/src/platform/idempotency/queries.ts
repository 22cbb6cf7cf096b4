// The SQL of nonces and idempotency keys.

import { type Db, type Runner, statement, type Tx } from "../db/index.ts";

/** The nonce and the idempotency key of a request, which must both be unused. */
export type RequestToAdmit = {
  subaccount_id: string;
  request_id: string;
  /** The API key, which a nonce belongs to. */
  api_key: string;
  nonce: string | undefined;
  nonce_expires_at_ms: number | undefined;
  idempotency_key: string | undefined;
  request_hash: string | undefined;
  /** Stored under the idempotency key; empty where it is set at the end of the transaction. */
  answer: string;
  expires_at_ms: number;
};

/**
 * The state of an idempotency key: `none` was sent, `known` has a stored response, `held` belongs to another
 * transaction that is still open, `free` is now ours until the end of our transaction. It never waits for the lock,
 * because all calls in the batch would wait with it. (No `exists`: PostgreSQL would hash the whole table for it.)
 */
export const keyState = (subaccountId: string, key: string, nowMs: string) =>
  `case when ${key} is null then 'none'
     when (select k.expires_at_ms > ${nowMs} from idempotency_key k
       where k.subaccount_id = ${subaccountId} and k.key = ${key}) then 'known'
     when pg_try_advisory_xact_lock(hashtextextended(${subaccountId} || ' ' || ${key}, 0)) then 'free'
     else 'held' end`;

/** Inserts the nonces of `input`, but for requests whose key is held. Returns the requests whose nonce was unused. */
export const insertNoncesSql = `insert into api_nonce (subaccount_id, key, nonce, request_id, expires_at_ms)
     select subaccount_id, api_key, nonce, request_id, nonce_expires_at_ms from input
     where nonce is not null and key_state <> 'held'
     order by subaccount_id, api_key, nonce
     on conflict do nothing
     returning request_id`;

const admitMany = statement<Admitted & { request_id: string }>(
  "requests-admit",
  // Rows are inserted in sorted order, so that two batches wait for each other instead of deadlocking. An expired
  // idempotency key counts as unused.
  `with input as materialized (
     select *, ${keyState("input.subaccount_id", "idempotency_key", "$2")} as key_state
     from json_to_recordset($1) as input(
       subaccount_id uuid, request_id uuid, api_key text, nonce text, nonce_expires_at_ms bigint,
       idempotency_key text, request_hash text, answer text, expires_at_ms bigint)
   ), signed as (
     ${insertNoncesSql}
   ), kept as (
     insert into idempotency_key as known (subaccount_id, key, request_id, request_hash, answer, expires_at_ms)
     select subaccount_id, idempotency_key, request_id, request_hash, answer, expires_at_ms from input
     where key_state = 'free'
       and (nonce is null or request_id in (select request_id from signed))
     order by subaccount_id, idempotency_key
     on conflict (subaccount_id, key) do update
       set request_id = excluded.request_id, request_hash = excluded.request_hash,
           answer = excluded.answer, expires_at_ms = excluded.expires_at_ms
       where known.expires_at_ms <= $2
     returning request_id
   )
   select request_id, key_state = 'held' as held,
          nonce is null or request_id in (select request_id from signed) as fresh,
          idempotency_key is null or request_id in (select request_id from kept) as kept
   from input`,
);

/** Nothing was written for a request whose key is held. */
export type Admitted = { held: boolean; fresh: boolean; kept: boolean };

/** Keyed by request id. No two requests may have the same idempotency key. */
export async function admitRequests(
  tx: Tx,
  requests: readonly RequestToAdmit[],
  nowMs: number,
): Promise<Map<string, Admitted>> {
  const rows = await tx.run(admitMany, [JSON.stringify(requests), nowMs]);
  return new Map(rows.map((row) => [row.request_id, row]));
}

type KeyOfSubaccount = { subaccountId: string; key: string };
type KeptAnswer = { request_hash: string; answer: string };

const findKept = statement<KeptAnswer & { call: number }>(
  "idempotency-keys-find",
  // The limit makes it one index lookup for each key. A plain join, planned while the table was empty, would read
  // the whole table.
  `select input.call::int, k.request_hash, k.answer
   from unnest($1::uuid[], $2::text[]) with ordinality as input(subaccount_id, key, call)
   cross join lateral (
     select request_hash, answer from idempotency_key k
     where k.subaccount_id = input.subaccount_id and k.key = input.key limit 1
   ) k`,
);

export async function findKeptAnswers(
  db: Runner,
  keys: readonly KeyOfSubaccount[],
): Promise<(KeptAnswer | undefined)[]> {
  const rows = await db.run(findKept, arraysOf(keys));
  const found: (KeptAnswer | undefined)[] = new Array(keys.length).fill(undefined);
  for (const row of rows) found[row.call - 1] = row;
  return found;
}

const setAnswer = statement<never>(
  "idempotency-key-answer",
  "update idempotency_key set answer = $3 where subaccount_id = $1 and key = $2",
);

export async function updateKeptAnswer(
  tx: Tx,
  { subaccountId, key }: KeyOfSubaccount,
  answer: string,
): Promise<void> {
  await tx.run(setAnswer, [subaccountId, key, answer]);
}

const deleteMany = statement<never>(
  "idempotency-keys-delete",
  // First by the index, then by the pair, for the same reason.
  `delete from idempotency_key k
   where k.subaccount_id = any($1::uuid[]) and k.key = any($2::text[])
     and (k.subaccount_id, k.key) in (select * from unnest($1::uuid[], $2::text[]))`,
);

/** For refused requests: a refusal is not stored. */
export async function deleteKeptAnswers(tx: Tx, keys: readonly KeyOfSubaccount[]): Promise<void> {
  await tx.run(deleteMany, arraysOf(keys));
}

function arraysOf(keys: readonly KeyOfSubaccount[]): [string[], string[]] {
  return [keys.map(({ subaccountId }) => subaccountId), keys.map(({ key }) => key)];
}

const insertNonce = statement<never>(
  "api-nonce-use",
  `insert into api_nonce (subaccount_id, key, nonce, request_id, expires_at_ms)
   values ($1, $2, $3, $4, $5) on conflict do nothing`,
);

/** For a request whose own transaction was rolled back, or that never had one. */
export async function insertUsedNonce(
  db: Runner,
  nonce: {
    subaccountId: string;
    key: string;
    value: string;
    requestId: string;
    expiresAtMs: number;
  },
): Promise<void> {
  const { subaccountId, key, value, requestId, expiresAtMs } = nonce;
  await db.run(insertNonce, [subaccountId, key, value, requestId, expiresAtMs]);
}

const deleteNonces = statement<{ nonce: string }>(
  "api-nonces-expire",
  `delete from api_nonce where (subaccount_id, key, nonce) in (
     select subaccount_id, key, nonce from api_nonce where expires_at_ms < $1 limit $2
   ) returning nonce`,
);

const portion = 5_000;

/** Deletes nonces whose signatures have expired. Over all subaccounts, because it is cleanup. */
export async function deleteExpiredNonces(db: Db, nowMs: number): Promise<void> {
  let deleted = portion;
  while (deleted === portion) deleted = (await db.run(deleteNonces, [nowMs, portion])).length;
}

const deleteExpired = statement<{ key: string }>(
  "idempotency-keys-expire",
  `delete from idempotency_key where (subaccount_id, key) in (
     select subaccount_id, key from idempotency_key where expires_at_ms < $1 limit $2
   ) returning key`,
);

/** In portions, so that no statement takes long. */
export async function deleteExpiredAnswers(db: Db, nowMs: number): Promise<void> {
  let deleted = portion;
  while (deleted === portion) deleted = (await db.run(deleteExpired, [nowMs, portion])).length;
}
