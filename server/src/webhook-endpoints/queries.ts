// Every SQL statement about where a subaccount's events go, and about the secrets that sign them.

import { type Runner, statement, type Tx } from "../db/connect.ts";

const lock = statement<never>(
  "endpoint-lock",
  // Whoever owns the lane has to take it anew, with the secrets of then: one that is never idle would go on with
  // those of before. It keeps the lease, so that nobody else sends what it has under way.
  "update webhook_endpoint set epoch = epoch + 1 where subaccount_id = $1",
);

/** Until the end of the transaction nobody else changes it or its secrets. */
export async function lockEndpoint(tx: Tx, subaccountId: string): Promise<void> {
  await tx.run(lock, [subaccountId]);
}

const setUrl = statement<never>(
  "endpoint-set-url",
  // The lane starts anew: whoever owned it has lost it, and what is stuck is tried at once.
  `with changed as (
     update webhook_endpoint
     set url = $2, epoch = epoch + 1, owner = null, lease_until_ms = 0, open_until_ms = 0, backoff_level = 0,
         failure_score = 0, failing_since_ms = null, failing_reported = 0, disabled_at_ms = null, paused_by = null
     where subaccount_id = $1
     returning subaccount_id
   )
   update delivery d set due_at_ms = 0 from changed
   where d.subaccount_id = changed.subaccount_id and d.attempts > 0 and d.due_at_ms > 0`,
);

export async function updateEndpointUrl(tx: Tx, subaccountId: string, url: string): Promise<void> {
  await tx.run(setUrl, [subaccountId, url]);
  tx.afterCommit(({ onEventCommitted: told }) => told(subaccountId));
}

const setTypes = statement<never>(
  "endpoint-set-event-types",
  "update webhook_endpoint set event_types = $2 where subaccount_id = $1",
);

export async function updateEventTypes(
  tx: Tx,
  subaccountId: string,
  types: readonly string[],
): Promise<void> {
  await tx.run(setTypes, [subaccountId, types]);
}

const pause = statement<{ subaccount_id: string }>(
  "endpoint-pause",
  // Whoever owned the lane has lost it, and nobody takes one that is disabled.
  `update webhook_endpoint
   set disabled_at_ms = $2, paused_by = $3, epoch = epoch + 1, owner = null, lease_until_ms = 0
   where subaccount_id = $1 and url <> '' and disabled_at_ms is null
   returning subaccount_id`,
);

/** False where there is nothing that could be paused. */
export async function updateEndpointPaused(
  tx: Tx,
  subaccountId: string,
  { who, nowMs }: { who: string; nowMs: number },
): Promise<boolean> {
  return (await tx.run(pause, [subaccountId, nowMs, who])).length > 0;
}

export type SecretTimes = { created_at: string; expires_at: string | null };

const live = statement<SecretTimes>(
  "endpoint-secrets-live",
  `select created_at_ms as created_at, expires_at_ms as expires_at from webhook_endpoint_secret
   where subaccount_id = $1 and (expires_at_ms is null or expires_at_ms > $2)
   order by id desc`,
);

/** Newest first, and never the secrets themselves. */
export function listLiveSecrets(
  db: Runner,
  subaccountId: string,
  nowMs: number,
): Promise<SecretTimes[]> {
  return db.run(live, [subaccountId, nowMs]);
}

const endSecrets = statement<never>(
  "endpoint-secrets-end",
  `update webhook_endpoint_secret s
   set expires_at_ms = case when l.place > $4 then $2 else least(s.expires_at_ms, $3) end
   from (
     select id, row_number() over (order by id desc) as place from webhook_endpoint_secret
     where subaccount_id = $1 and (expires_at_ms is null or expires_at_ms > $2)
   ) l
   where s.subaccount_id = $1 and s.id = l.id`,
);

export type Ending = { nowMs: number; untilMs: number; keptMax: number };

/** So many of the newest go on until then, at the latest; the others end now. */
export async function updateWebhookSecretsEnding(
  tx: Tx,
  subaccountId: string,
  { nowMs, untilMs, keptMax }: Ending,
): Promise<void> {
  await tx.run(endSecrets, [subaccountId, nowMs, untilMs, keptMax]);
}

const deleteEnded = statement<never>(
  "endpoint-secrets-delete",
  "delete from webhook_endpoint_secret where subaccount_id = $1 and expires_at_ms <= $2",
);

export async function deleteEndedSecrets(
  tx: Tx,
  subaccountId: string,
  nowMs: number,
): Promise<void> {
  await tx.run(deleteEnded, [subaccountId, nowMs]);
}

const insertSecret = statement<never>(
  "endpoint-secret-insert",
  `insert into webhook_endpoint_secret (subaccount_id, id, sealed, created_at_ms) values ($1, $2, $3, $4)`,
);

export type SecretToInsert = {
  subaccountId: string;
  id: string;
  sealed: Buffer;
  createdAtMs: number;
};

export async function insertEndpointSecret(tx: Tx, secret: SecretToInsert): Promise<void> {
  const { subaccountId, id, sealed, createdAtMs } = secret;
  await tx.run(insertSecret, [subaccountId, id, sealed, createdAtMs]);
}

export type EndpointRow = {
  url: string;
  open_until_ms: string;
  failing_since_ms: string | null;
  disabled_at_ms: string | null;
  /** The types on request that it asked for. */
  event_types: string[];
  /** Who disabled it, where it was not an answer. */
  paused_by: string | null;
  waiting: number;
  oldest_ms: string | null;
  next_ms: string | null;
};

const find = statement<EndpointRow>(
  "endpoint-find",
  // Counted only so far: however much waits, the question stays a quick one.
  `select e.url, e.open_until_ms, e.failing_since_ms, e.disabled_at_ms, e.paused_by, e.event_types,
          w.waiting, w.oldest_ms, w.next_ms
   from webhook_endpoint e cross join lateral (
     select count(*)::int as waiting, min(d.since_ms) as oldest_ms,
            min(greatest(d.due_at_ms, d.since_ms)) as next_ms
     from (
       select since_ms, due_at_ms from delivery
       where subaccount_id = e.subaccount_id order by number limit $2
     ) d
   ) w
   where e.subaccount_id = $1`,
);

export async function findEndpoint(
  db: Runner,
  subaccountId: string,
  waitingMax: number,
): Promise<EndpointRow | undefined> {
  return (await db.run(find, [subaccountId, waitingMax]))[0];
}
