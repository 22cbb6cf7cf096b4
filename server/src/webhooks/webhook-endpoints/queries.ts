// The SQL about webhook endpoints and the secrets that sign their events.

import { type Runner, statement, type Tx } from "../../platform/db/index.ts";

const lock = statement<never>(
  "endpoint-lock",
  // The new epoch makes the owner of the lane claim it again and read the new secrets; a lane that is never idle would
  // keep the old ones. The owner keeps its lease, so that no other worker repeats a running attempt.
  "update webhook_endpoint set epoch = epoch + 1 where subaccount_id = $1",
);

/** Until the end of the transaction, no other transaction changes the endpoint or its secrets. */
export async function lockEndpoint(tx: Tx, subaccountId: string): Promise<void> {
  await tx.run(lock, [subaccountId]);
}

const setUrl = statement<never>(
  "endpoint-set-url",
  // Resets the lane: its owner loses it, and deliveries that wait for a retry are due at once.
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
  tx.afterCommit(({ onEventCommitted }) => onEventCommitted(subaccountId));
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
  // The owner loses the lane, and no worker claims a disabled one.
  `update webhook_endpoint
   set disabled_at_ms = $2, paused_by = $3, epoch = epoch + 1, owner = null, lease_until_ms = 0
   where subaccount_id = $1 and url <> '' and disabled_at_ms is null
   returning subaccount_id`,
);

/** Returns false if there is no active endpoint. */
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

type Ending = { nowMs: number; untilMs: number; keptMax: number };

/** The newest `keptMax` secrets stay valid until `untilMs` at most. The others end now. */
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
  // The newest secret signs. If the one before can't be decrypted, its waiting events are sent from now on.
  `with added as (
     insert into webhook_endpoint_secret (subaccount_id, id, sealed, created_at_ms) values ($1, $2, $3, $4)
   )
   update webhook_endpoint set secret_unreadable_since_ms = null, open_until_ms = 0
   where subaccount_id = $1 and secret_unreadable_since_ms is not null`,
);

type SecretToInsert = {
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
  /** Its newest secret can't be decrypted: events wait until there is a new one. */
  secret_unreadable_since_ms: string | null;
  disabled_at_ms: string | null;
  /** The event types that it requested. */
  event_types: string[];
  /** The user who paused it; null if the endpoint replied with 410. */
  paused_by: string | null;
  waiting: number;
  oldest_ms: string | null;
  next_ms: string | null;
};

const find = statement<EndpointRow>(
  "endpoint-find",
  // The count stops at a limit, so that the query stays fast.
  `select e.url, e.open_until_ms, e.failing_since_ms, e.secret_unreadable_since_ms, e.disabled_at_ms, e.paused_by, e.event_types,
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
