// Subaccounts with a webhook endpoint, and committed events for them, without the payouts that would cause them.

import type pg from "pg";
import { newId } from "../../src/platform/base/ids.ts";
import type { Db } from "../../src/platform/db/connect.ts";
import type { Seal } from "../../src/platform/encryption/seal.ts";
import { createSubaccount } from "../../src/tenants/subaccounts/create.ts";
import type { OutboxEvent } from "../../src/webhooks/events/outbox.ts";
import { insertEventsSql } from "../../src/webhooks/events/queries.ts";
import {
  endpointSecretIdentity,
  newWebhookSecret,
} from "../../src/webhooks/webhook-endpoints/secret.ts";

export type Listener = { subaccountId: string; secret: string };

export async function newListener(
  { db, seal }: { db: Db; seal: Seal },
  postbackUrl: string,
): Promise<Listener> {
  const subaccount = { name: "Listens", mode: "test", postbackUrl } as const;
  const { subaccountId } = await createSubaccount({ db, seal }, subaccount);
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

type TestEvent = OutboxEvent & { subaccountId: string; orderKey: string };

/** An event whose body has its step within the payout. */
export function payoutEvent(subaccountId: string, orderKey = newId(), step = 0): TestEvent {
  const body = JSON.stringify({ event: "payoutCreated", payout_id: orderKey, step });
  return { id: newId(), type: "payoutCreated", body, subaccountId, orderKey };
}

/** Commits events in their order, as a change does. No worker gets a hint. */
export function commitEvents({ pool }: Db, events: readonly TestEvent[]): Promise<void> {
  return insertTestEvents(pool, events);
}

/** Uses the client's transaction, if it has one. */
export async function insertTestEvents(
  client: pg.Pool | pg.PoolClient,
  events: readonly TestEvent[],
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

/** Makes every waiting delivery due now. */
export async function makeAllDue({ pool }: Db): Promise<void> {
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

/** An id with a chosen time. The service's own generator would move its clock, for every file of the worker. */
export function idAt(ms: number): string {
  const time = ms.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-${newId().slice(14)}`;
}
