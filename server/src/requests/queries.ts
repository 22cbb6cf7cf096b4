// Every SQL statement about what a request may do only once: its nonce and its idempotency key.

import { type Db, statement, type Tx } from "../db/connect.ts";

/** What a request brings that must not have been used before. */
export type RequestToAdmit = {
  subaccount_id: string;
  request_id: string;
  /** The API key, which a nonce belongs to. */
  api_key: string;
  nonce: string | undefined;
  nonce_expires_at_ms: number | undefined;
  idempotency_key: string | undefined;
  request_hash: string | undefined;
  expires_at_ms: number;
};

const admitOne = statement<Admitted>(
  "request-admit",
  // The keys of the two tables decide, also between processes: whoever comes second waits for the commit
  // of the first. An idempotency key that has expired is as good as new. Its answer comes with the end of
  // the transaction.
  `with signed as (
     insert into api_nonce (subaccount_id, key, nonce, request_id, expires_at_ms)
     select $1, $3, $4, $2, $5 where $4::text is not null
     on conflict do nothing
     returning request_id
   ), kept as (
     insert into idempotency_key as known (subaccount_id, key, request_id, request_hash, answer, expires_at_ms)
     select $1, $6, $2, $7, '', $8
     where $6::text is not null and ($4::text is null or exists (select from signed))
     on conflict (subaccount_id, key) do update
       set request_id = excluded.request_id, request_hash = excluded.request_hash,
           answer = excluded.answer, expires_at_ms = excluded.expires_at_ms
       where known.expires_at_ms <= $9
     returning request_id
   )
   select $4::text is null or exists (select from signed) as fresh,
          $6::text is null or exists (select from kept) as kept`,
);

export type Admitted = { fresh: boolean; kept: boolean };

export async function admitRequest(
  tx: Tx,
  request: RequestToAdmit,
  nowMs: number,
): Promise<Admitted> {
  const [row] = await tx.run(admitOne, [
    request.subaccount_id,
    request.request_id,
    request.api_key,
    request.nonce ?? null,
    request.nonce_expires_at_ms ?? null,
    request.idempotency_key ?? null,
    request.request_hash ?? null,
    request.expires_at_ms,
    nowMs,
  ]);
  return row as Admitted;
}

export type KeyOfSubaccount = { subaccountId: string; key: string };
export type KeptAnswer = { request_hash: string; answer: string };

const findKept = statement<KeptAnswer & { call: number }>(
  "idempotency-keys-find",
  `select asked.call::int, k.request_hash, k.answer
   from unnest($1::uuid[], $2::text[]) with ordinality as asked(subaccount_id, key, call)
   join idempotency_key k on k.subaccount_id = asked.subaccount_id and k.key = asked.key`,
);

export async function findKeptAnswers(
  tx: Tx,
  keys: readonly KeyOfSubaccount[],
): Promise<(KeptAnswer | undefined)[]> {
  const rows = await tx.run(findKept, arraysOf(keys));
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
  `delete from idempotency_key k using unnest($1::uuid[], $2::text[]) as asked(subaccount_id, key)
   where k.subaccount_id = asked.subaccount_id and k.key = asked.key`,
);

/** Of requests that were refused: a refusal is not kept. */
export async function deleteKeptAnswers(tx: Tx, keys: readonly KeyOfSubaccount[]): Promise<void> {
  await tx.run(deleteMany, arraysOf(keys));
}

function arraysOf(keys: readonly KeyOfSubaccount[]): [string[], string[]] {
  return [keys.map(({ subaccountId }) => subaccountId), keys.map(({ key }) => key)];
}

const deleteNonces = statement<never>(
  "api-nonces-expire",
  "delete from api_nonce where expires_at_ms < $1",
);

/** Nonces that no signature could use again. Over all subaccounts, as the next one: it is housekeeping. */
export async function deleteExpiredNonces(db: Db, nowMs: number): Promise<void> {
  await db.run(deleteNonces, [nowMs]);
}

const deleteExpired = statement<never>(
  "idempotency-keys-expire",
  "delete from idempotency_key where expires_at_ms < $1",
);

export async function deleteExpiredAnswers(db: Db, nowMs: number): Promise<void> {
  await db.run(deleteExpired, [nowMs]);
}
