// The SQL of further webhook endpoints: those beside the one of postback_url.

import { type Runner, statement, type Tx } from "../../platform/db/index.ts";

const lockAll = statement<{ url: string }>(
  "endpoints-lock",
  // The row of postback_url stands for all endpoints of the subaccount.
  "select url from webhook_endpoint where subaccount_id = $1 for no key update",
);

const listIds = statement<{ endpoint_id: string }>(
  "further-endpoints-list",
  "select endpoint_id from further_endpoint where subaccount_id = $1 and url <> '' order by endpoint_id",
);

/** Oldest first. */
export async function listFurtherIds(db: Runner, subaccountId: string): Promise<string[]> {
  const rows = await db.run(listIds, [subaccountId]);
  return rows.map(({ endpoint_id }) => endpoint_id);
}

/** Until the end of the transaction, no endpoint of the subaccount is created or deleted. Returns how many there are. */
export async function lockEndpoints(tx: Tx, subaccountId: string): Promise<number> {
  const [postback] = await tx.run(lockAll, [subaccountId]);
  return (await listFurtherIds(tx, subaccountId)).length + (postback?.url ? 1 : 0);
}

const insertOne = statement<never>(
  "further-endpoint-insert",
  `insert into further_endpoint (subaccount_id, endpoint_id, url, description, event_types, format, headers_sealed,
                                 header_names, created_at_ms, disable_after_days, untold)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'created')`,
);

type FurtherEndpoint = {
  subaccountId: string;
  endpointId: string;
  url: string;
  description: string;
  eventTypes: readonly string[];
  format: string;
  headers: { names: string[]; sealed: Buffer | null };
  createdAtMs: number;
  disableAfterDays: number;
};

export async function insertFurtherEndpoint(tx: Tx, endpoint: FurtherEndpoint): Promise<void> {
  const { subaccountId, endpointId, url, description, eventTypes, format, headers } = endpoint;
  await tx.run(insertOne, [
    ...[subaccountId, endpointId, url, description, eventTypes, format],
    ...[headers.sealed, headers.names, endpoint.createdAtMs, endpoint.disableAfterDays],
  ]);
  await updateFurtherTypes(tx, subaccountId);
}

const change = statement<never>(
  "further-endpoint-set",
  // The owner of the lane claims it again, with the new format.
  `update further_endpoint
   set event_types = coalesce($3::text[], event_types), format = coalesce($4, format), epoch = epoch + 1
   where subaccount_id = $1 and endpoint_id = $2`,
);

export async function updateFurtherEndpoint(
  tx: Tx,
  { subaccountId, endpointId }: { subaccountId: string; endpointId: string },
  { eventTypes, format }: { eventTypes: readonly string[] | undefined; format: string | undefined },
): Promise<void> {
  await tx.run(change, [subaccountId, endpointId, eventTypes ?? null, format ?? null]);
  if (eventTypes) await updateFurtherTypes(tx, subaccountId);
}

const remove = statement<never>(
  "further-endpoint-remove",
  // Nothing is sent from now on. The row goes when the other endpoints have been told (`deleteRemovedEndpoint`).
  `update further_endpoint
   set url = '', event_types = '{}', epoch = epoch + 1, owner = null, lease_until_ms = 0, untold = 'deleted'
   where subaccount_id = $1 and endpoint_id = $2`,
);

export async function updateEndpointRemoved(
  tx: Tx,
  subaccountId: string,
  endpointId: string,
): Promise<void> {
  await tx.run(remove, [subaccountId, endpointId]);
  await updateFurtherTypes(tx, subaccountId);
}

const setTypes = statement<never>(
  "further-types-set",
  // What changes look up before they insert an event, in the row that they read anyway.
  `update webhook_endpoint set further_types = (
     select coalesce(array_agg(distinct t order by t), '{}') from further_endpoint f, unnest(f.event_types) t
     where f.subaccount_id = $1)
   where subaccount_id = $1`,
);

async function updateFurtherTypes(tx: Tx, subaccountId: string): Promise<void> {
  await tx.run(setTypes, [subaccountId]);
}

const lastDay = statement<EndpointDay>(
  "endpoint-last-day",
  // Of the newest attempts to all endpoints, up to a bound.
  `select count(*)::int as attempts, count(*) filter (where a.failure is null)::int as delivered,
          (percentile_disc(0.5) within group (order by a.took_ms))::int as p50_ms,
          (percentile_disc(0.95) within group (order by a.took_ms))::int as p95_ms
   from (
     select * from delivery_attempt where subaccount_id = $1 and id >= first_id_of($2) order by id desc limit $4
   ) a where a.endpoint_id is not distinct from $3::uuid`,
);

export type EndpointDay = {
  attempts: number;
  delivered: number;
  p50_ms: number | null;
  p95_ms: number | null;
};

/** The attempts since then. */
export async function findEndpointDay(
  db: Runner,
  { subaccountId, endpointId }: { subaccountId: string; endpointId?: string | undefined },
  { sinceMs, attemptsMax }: { sinceMs: number; attemptsMax: number },
): Promise<EndpointDay> {
  const [row] = await db.run(lastDay, [subaccountId, sinceMs, endpointId ?? null, attemptsMax]);
  return row ?? { attempts: 0, delivered: 0, p50_ms: null, p95_ms: null };
}
