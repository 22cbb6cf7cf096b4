// Waiting events in bulk, written as the service writes them: one for each payout, in turn for every subaccount.

import { newId } from "../server/src/platform/base/ids.ts";
import type { Db } from "../server/src/platform/db/connect.ts";
import { sealWith } from "../server/src/platform/encryption/seal.ts";
import { createSubaccount } from "../server/src/tenants/subaccounts/create.ts";
import { payoutCreated } from "../server/src/webhooks/events/outbox.ts";
import { insertEventsSql } from "../server/src/webhooks/events/queries.ts";
import {
  endpointSecretIdentity,
  newWebhookSecret,
} from "../server/src/webhooks/webhook-endpoints/secret.ts";
import type { Database } from "./database.ts";
import { progressBar } from "./progress.ts";

const chunk = 20_000;

type Endpoint = { subaccountId: string; secret: string };

/** Subaccounts with a webhook endpoint, each at its own path. */
export async function addEndpoints(
  { db, masterKey }: Database,
  { origin, count }: { origin: string; count: number },
): Promise<Endpoint[]> {
  const seal = sealWith(masterKey);
  const endpoints: Endpoint[] = [];
  for (let index = 0; index < count; index++) {
    const subaccount = {
      name: `Subaccount ${index}`,
      mode: "test",
      postbackUrl: `${origin}/${index}`,
    } as const;
    const { subaccountId } = await createSubaccount({ db, seal }, subaccount);
    const secret = newWebhookSecret();
    const id = newId();
    const sealed = seal.encrypt(secret, endpointSecretIdentity(subaccountId, id));
    await db.pool.query("insert into webhook_endpoint_secret values ($1, $2, $3, $4, null)", [
      ...[subaccountId, id, sealed, Date.now()],
    ]);
    endpoints.push({ subaccountId, secret });
  }
  return endpoints;
}

/** A real event body, so that it has a real length. */
export function sampleBody(subaccountId: string): string {
  return payoutCreated({
    subaccountId,
    payoutId: newId(),
    receiverId: newId(),
    accountId: newId(),
    amount: 12_500n,
    currency: "AUD",
    reference: "INV-2024-000117",
    atMs: Date.now(),
  }).body;
}

type WaitingEvents = { subaccountIds: readonly string[]; count: number; body: string };

export async function addWaiting(
  { pool }: Db,
  { subaccountIds, count, body }: WaitingEvents,
): Promise<void> {
  const bar = progressBar(`${count} events`, count);
  for (let done = 0; done < count; done += chunk) {
    const last = Math.min(done + chunk, count);
    await pool.query(insert, [subaccountIds, done, last - 1, body, Date.now()]);
    bar(last);
  }
}

const insert = `
  with new_events as (
    select n as call, ($1::uuid[])[1 + n % cardinality($1::uuid[])] as subaccount_id, uuidv7() as event_id,
           uuidv7() as order_key, 'payoutCreated' as event_type, $4::text as event_body, $5::bigint as at_ms
    from generate_series($2::int, $3::int) as n
  ), ${insertEventsSql}
  select from inserted_events limit 0`;
