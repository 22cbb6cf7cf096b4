// Subaccounts that want to hear of events, and events to tell them of, without anything that causes them.

import type pg from "pg";
import type { Db } from "../../src/db/connect.ts";
import type { OutboxEvent } from "../../src/events/outbox.ts";
import { insertEventsSql } from "../../src/events/queries.ts";
import { newId } from "../../src/ids.ts";
import type { Seal } from "../../src/seal.ts";
import { createSubaccount } from "../../src/subaccounts/create.ts";
import { endpointSecretIdentity, newWebhookSecret } from "../../src/webhook-endpoints/secret.ts";

export type Listener = { subaccountId: string; secret: string };

export async function newListener(
  { db, seal }: { db: Db; seal: Seal },
  postbackUrl: string,
): Promise<Listener> {
  const wish = { name: "Listens", mode: "test", postbackUrl } as const;
  const { subaccountId } = await createSubaccount({ db, seal }, wish);
  const secret = newWebhookSecret();
  await addSecret({ db, seal }, subaccountId, secret);
  return { subaccountId, secret };
}

export async function addSecret(
  { db, seal }: { db: Db; seal: Seal },
  subaccountId: string,
  secret: string,
  expiresAtMs: number | null = null,
): Promise<void> {
  const id = newId();
  const sealed = seal.encrypt(secret, endpointSecretIdentity(subaccountId, id));
  await db.pool.query("insert into webhook_endpoint_secret values ($1, $2, $3, $4, $5)", [
    ...[subaccountId, id, sealed, Date.now(), expiresAtMs],
  ]);
}

export type Told = OutboxEvent & { subaccountId: string; orderKey: string };

/** An event that says which of its payout's it is. */
export function payoutEvent(subaccountId: string, orderKey = newId(), step = 0): Told {
  const body = JSON.stringify({ event: "payoutCreated", payout_id: orderKey, step });
  return { id: newId(), type: "payoutCreated", body, subaccountId, orderKey };
}

/** Commits them, in their order, as a change does. Nobody is given a hint. */
export function tell({ pool }: Db, events: readonly Told[]): Promise<void> {
  return tellBy(pool, events);
}

/** Within the transaction of a client, where it has one. */
export async function tellBy(
  client: pg.Pool | pg.PoolClient,
  events: readonly Told[],
): Promise<void> {
  const rows = events.map(({ id, type, body, subaccountId, orderKey }, call) => ({
    call,
    subaccount_id: subaccountId,
    event_id: id,
    order_key: orderKey,
    event_type: type,
    event_body: body,
    at_ms: Date.now(),
  }));
  await client.query(
    `with new_events as (
       select * from json_to_recordset($1) as t(call int, subaccount_id uuid, event_id uuid, order_key uuid,
         event_type text, event_body text, at_ms bigint)
     ), ${insertEventsSql}
     select 1`,
    [JSON.stringify(rows)],
  );
}

/** As if the time had come for everything that waits. */
export async function hurry({ pool }: Db): Promise<void> {
  await pool.query("update webhook_endpoint set open_until_ms = 0");
  await pool.query("update delivery set due_at_ms = 0");
}

export async function waitingCount({ pool }: Db, subaccountId?: string): Promise<number> {
  const { rows } = await pool.query(
    "select count(*)::int from delivery where $1::uuid is null or subaccount_id = $1",
    [subaccountId ?? null],
  );
  return rows[0].count;
}

/** As one that was made then. To ask the service's own maker would move its clock, for every file of the worker. */
export function idAt(ms: number): string {
  const time = ms.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-${newId().slice(14)}`;
}
