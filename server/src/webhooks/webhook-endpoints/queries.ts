// The SQL about webhook endpoints and the secrets that sign their events. Each statement is there twice: for the endpoint of
// postback_url, and for further ones.

import { type Runner, statement, type Tx } from "../../platform/db/index.ts";
import {
  type EndpointKey,
  type EndpointTables,
  furtherTables,
  postbackTables,
} from "./endpoint-tables.ts";

/** The id of a subaccount stands for its endpoint of postback_url. */
export type EndpointRef = string | EndpointKey;

export const subaccountOf = (of: EndpointRef): string =>
  typeof of === "string" ? of : of.subaccountId;

/** `sql` writes a statement whose $1 is the subaccount; `is` names the endpoint of an alias. */
type Write = (t: EndpointTables, is: (alias: string) => string) => string;

/** A statement for both kinds of endpoint. The id of a further one is the parameter after the others. */
function forBoth<Row>(name: string, parameters: number, sql: Write) {
  const write = (t: EndpointTables, further = "") =>
    statement<Row>(
      `${t.prefix}${name}`,
      sql(t, (alias) => {
        const more = further && ` and ${alias}.endpoint_id = ${further}`;
        return `${alias}.subaccount_id = $1${more}`;
      }),
    );
  const postback = write(postbackTables);
  const further = write(furtherTables, `$${parameters + 1}`);
  return (db: Runner, of: EndpointRef, ...values: unknown[]): Promise<Row[]> => {
    const endpointId = typeof of === "string" ? undefined : of.endpointId;
    const given = [subaccountOf(of), ...values];
    return endpointId ? db.run(further, [...given, endpointId]) : db.run(postback, given);
  };
}

const lock = forBoth<never>(
  "endpoint-lock",
  1,
  // The new epoch makes the owner of the lane claim it again and read the new secrets; a lane that is never idle would
  // keep the old ones. The owner keeps its lease, so that no other worker repeats a running attempt.
  (t, is) => `update ${t.endpoint} e set epoch = epoch + 1 where ${is("e")}`,
);

/** Until the end of the transaction, no other transaction changes the endpoint or its secrets. */
export async function lockEndpoint(tx: Tx, of: EndpointRef): Promise<void> {
  await lock(tx, of);
}

const setUrl = forBoth<never>(
  "endpoint-set-url",
  2,
  // Resets the lane: its owner loses it, and deliveries that wait for a retry are due at once.
  (t, is) => `with changed as (
     update ${t.endpoint} e
     set url = $2, epoch = epoch + 1, owner = null, lease_until_ms = 0, open_until_ms = 0, backoff_level = 0,
         failure_score = 0, failing_since_ms = null, failing_reported = 0, disabled_at_ms = null, disabled_because = null,
         paused_by = null, untold = 'changed'
     where ${is("e")}
   )
   update ${t.delivery} d set due_at_ms = 0 where ${is("d")} and d.attempts > 0 and d.due_at_ms > 0`,
);

export async function updateEndpointUrl(tx: Tx, of: EndpointRef, url: string): Promise<void> {
  await setUrl(tx, of, url);
  tx.afterCommit(({ onEventCommitted }) => onEventCommitted(subaccountOf(of)));
}

const setTypes = statement<never>(
  "endpoint-set-event-types",
  "update webhook_endpoint set event_types = $2, untold = 'changed' where subaccount_id = $1",
);

export async function updateEventTypes(
  tx: Tx,
  subaccountId: string,
  types: readonly string[],
): Promise<void> {
  await tx.run(setTypes, [subaccountId, types]);
}

const pause = forBoth<{ subaccount_id: string }>(
  "endpoint-pause",
  3,
  // The owner loses the lane, and no worker claims a disabled one.
  (t, is) => `update ${t.endpoint} e
   set disabled_at_ms = $2, paused_by = $3, epoch = epoch + 1, owner = null, lease_until_ms = 0,
       untold = 'paused'
   where ${is("e")} and url <> '' and disabled_at_ms is null
   returning subaccount_id`,
);

/** Returns false if there is no active endpoint. */
export async function updateEndpointPaused(
  tx: Tx,
  of: EndpointRef,
  { who, nowMs }: { who: string; nowMs: number },
): Promise<boolean> {
  return (await pause(tx, of, nowMs, who)).length > 0;
}

export type SecretTimes = { created_at: string; expires_at: string | null };

const live = forBoth<SecretTimes>(
  "endpoint-secrets-live",
  2,
  (t, is) => `select created_at_ms as created_at, expires_at_ms as expires_at from ${t.secret} s
   where ${is("s")} and (expires_at_ms is null or expires_at_ms > $2)
   order by id desc`,
);

/** Newest first, and never the secrets themselves. */
export function listLiveSecrets(
  db: Runner,
  of: EndpointRef,
  nowMs: number,
): Promise<SecretTimes[]> {
  return live(db, of, nowMs);
}

const endSecrets = forBoth<never>(
  "endpoint-secrets-end",
  4,
  (t, is) => `update ${t.secret} s
   set expires_at_ms = case when l.place > $4 then $2 else least(s.expires_at_ms, $3) end
   from (
     select id, row_number() over (order by id desc) as place from ${t.secret} a
     where ${is("a")} and (expires_at_ms is null or expires_at_ms > $2)
   ) l
   where ${is("s")} and s.id = l.id`,
);

type Ending = { nowMs: number; untilMs: number; keptMax: number };

/** The newest `keptMax` secrets stay valid until `untilMs` at most. The others end now. */
export async function updateWebhookSecretsEnding(
  tx: Tx,
  of: EndpointRef,
  { nowMs, untilMs, keptMax }: Ending,
): Promise<void> {
  await endSecrets(tx, of, nowMs, untilMs, keptMax);
}

const deleteEnded = forBoth<never>(
  "endpoint-secrets-delete",
  2,
  (t, is) => `delete from ${t.secret} s where ${is("s")} and expires_at_ms <= $2`,
);

export async function deleteEndedSecrets(tx: Tx, of: EndpointRef, nowMs: number): Promise<void> {
  await deleteEnded(tx, of, nowMs);
}

const insertSecret = forBoth<never>(
  "endpoint-secret-insert",
  4,
  // The newest secret signs. If the one before can't be decrypted, its waiting events are sent from now on.
  (t, is) => {
    const endpoint =
      t.prefix === "" ? { column: "", value: "" } : { column: ", endpoint_id", value: ", $5" };
    return `with added as (
     insert into ${t.secret} (subaccount_id, id, sealed, created_at_ms${endpoint.column})
     values ($1, $2, $3, $4${endpoint.value})
   )
   update ${t.endpoint} e
   set secret_unreadable_since_ms = null, untold = coalesce(e.untold, 'rotated'),
       open_until_ms = case when e.secret_unreadable_since_ms is null then e.open_until_ms else 0 end
   where ${is("e")}`;
  },
);

type SecretToInsert = { id: string; sealed: Buffer; createdAtMs: number };

export async function insertEndpointSecret(
  tx: Tx,
  of: EndpointRef,
  { id, sealed, createdAtMs }: SecretToInsert,
): Promise<void> {
  await insertSecret(tx, of, id, sealed, createdAtMs);
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
  event_metadata: boolean;
  balance_levels: Record<string, number>;
  /** The user or key that paused it; null if it was disabled. */
  paused_by: string | null;
  description: string;
  format: "full" | "thin";
  /** Of the headers that the subaccount has set. */
  header_names: string[];
  /** Null: failures never disable it. */
  disable_after_days: number | null;
  /** Null: it replied with 410, before reasons were kept. */
  disabled_because: "gone" | "failing" | "secret" | null;
  created_at_ms: string | null;
  waiting: number;
  oldest_ms: string | null;
  next_ms: string | null;
};

const find = forBoth<EndpointRow>(
  "endpoint-find",
  2,
  // The count stops at a limit, so that the query stays fast.
  (t, is) => {
    const isFurther = t.prefix !== "";
    return `select e.url, e.open_until_ms, e.failing_since_ms, e.secret_unreadable_since_ms, e.disabled_at_ms, e.paused_by, e.event_types,
          s.event_metadata, s.balance_levels,
          e.description, e.header_names, e.disable_after_days, e.disabled_because,
          ${isFurther ? "e.format, e.created_at_ms" : "'full' as format, null as created_at_ms"},
          w.waiting, w.oldest_ms, w.next_ms
   from ${t.endpoint} e join subaccount s on s.id = e.subaccount_id cross join lateral (
     select count(*)::int as waiting, min(d.since_ms) as oldest_ms,
            min(greatest(d.due_at_ms, d.since_ms)) as next_ms
     from (
       select since_ms, due_at_ms from ${t.delivery} d where ${is("d")} order by number limit $2
     ) d
   ) w
   where ${is("e")}`;
  },
);

export async function findEndpoint(
  db: Runner,
  of: EndpointRef,
  waitingMax: number,
): Promise<EndpointRow | undefined> {
  return (await find(db, of, waitingMax))[0];
}

const change = forBoth<never>(
  "endpoint-change",
  6,
  (t, is) => `update ${t.endpoint} e
   set description = coalesce($2, e.description), disable_after_days = $3,
       header_names = case when $4::boolean then $5::text[] else e.header_names end,
       headers_sealed = case when $4 then $6::bytea else e.headers_sealed end,
       epoch = case when $4 then e.epoch + 1 else e.epoch end, untold = 'changed'
   where ${is("e")}`,
);

export type EndpointChanges = {
  description: string | undefined;
  disableAfterDays: number | null;
  headers: { names: string[]; sealed: Buffer | null } | undefined;
};

/** Fields that are left out stay unchanged. */
export async function updateEndpointDetails(
  tx: Tx,
  of: EndpointRef,
  { description, disableAfterDays, headers }: EndpointChanges,
): Promise<void> {
  const given = [headers !== undefined, headers?.names ?? [], headers?.sealed ?? null];
  await change(tx, of, description ?? null, disableAfterDays, ...given);
}
