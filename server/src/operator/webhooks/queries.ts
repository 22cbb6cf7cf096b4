// The SQL of how an endpoint has done of late, and of the secrets that its events are signed with.

import { type Runner, statement } from "../../db/connect.ts";
import type { SecretRow } from "../../events/lane-queries.ts";
import { limits } from "../../limits.ts";

const hourMs = 3_600_000;

/** Of all the hours together where `hour` is null. */
export type HourRow = { hour: number | null; attempts: number; ok: number; p95_ms: number | null };

const hours = statement<HourRow>(
  "webhook-hours",
  // However many attempts an hour saw, so many of them are read.
  `select h.hour, count(a.took_ms)::int as attempts,
          count(a.took_ms) filter (where a.failure is null)::int as ok,
          percentile_disc(0.95) within group (order by a.took_ms) as p95_ms
   from generate_series(0, 23) as h(hour)
   left join lateral (
     select t.failure, t.took_ms from delivery_attempt t
     where t.subaccount_id = $1 and t.id >= first_id_of($2::bigint + h.hour * ${hourMs})
       and t.id < first_id_of($2::bigint + (h.hour + 1) * ${hourMs})
     order by t.id desc limit ${limits.attemptsOfHourCounted}
   ) a on true
   group by grouping sets ((h.hour), ())
   order by h.hour`,
);

/** The 24 hours that begin then, and all of them together. */
export function listHours(db: Runner, subaccountId: string, fromMs: number): Promise<HourRow[]> {
  return db.run(hours, [subaccountId, fromMs]);
}

export type SigningSecret = SecretRow & { created_at_ms: number };

const secrets = statement<SigningSecret>(
  "webhook-secrets",
  `select id, encode(sealed, 'base64') as sealed, created_at_ms::float8, expires_at_ms::float8
   from endpoint_secret where subaccount_id = $1 order by id desc`,
);

/** Newest first, also those that have ended since the last rotation. */
export function listSigningSecrets(db: Runner, subaccountId: string): Promise<SigningSecret[]> {
  return db.run(secrets, [subaccountId]);
}
