// The SQL of attempts, and of the secrets that signed them.

import { type Runner, statement } from "../../../platform/db/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import type { WebhookSecretRow } from "../../../webhooks/delivery/index.ts";

export type AttemptRow = {
  id: string;
  event_id: string;
  event_type: string | null;
  number: number;
  status: number | null;
  failure: string | null;
  detail: string;
  took_ms: number;
};

export type AttemptPage = {
  subaccountId: string;
  /** Undefined: both. */
  isDelivered: boolean | undefined;
  /** Only attempts older than this one. */
  beforeId: string;
  fromId: string;
  limit: number;
};

// The limit is a parameter: compared with a number, PostgreSQL may sort all attempts.
const walk = `select * from delivery_attempt a where a.subaccount_id = $1 and a.id < $2 and a.id >= $4
     order by a.id desc limit $3`;

const page = statement<AttemptRow>(
  "attempts-page",
  `select a.id, a.event_id, e.type as event_type, a.number, a.status, a.failure, a.detail, a.took_ms
   from (${walk}) a
   left join lateral (
     select type from event e where e.subaccount_id = $1 and e.id = a.event_id limit 1
   ) e on true
   where $5::boolean is null or (a.failure is null) = $5
   order by a.id desc limit $6`,
);

/** Newest first. */
export function listAttemptPage(db: Runner, asked: AttemptPage): Promise<AttemptRow[]> {
  const { isDelivered, limit } = asked;
  return db.run(page, [...walked(asked), isDelivered ?? null, limit]);
}

const end = statement<{ id: string }>(
  "attempts-page-end",
  `select id from (${walk}) a where a.subaccount_id = $1
   order by id desc offset $3 - 1`,
);

const walked = (asked: AttemptPage) => [
  asked.subaccountId,
  asked.beforeId,
  scannedMax(asked),
  asked.fromId,
];

function scannedMax({ isDelivered, limit }: AttemptPage): number {
  return isDelivered === undefined ? limit : Math.max(limit, limits.attemptsScannedMax);
}

/** The last row that the page read, if there are more. */
export async function findLastAttempt(db: Runner, asked: AttemptPage): Promise<string | undefined> {
  return (await db.run(end, walked(asked)))[0]?.id;
}

export type SigningSecret = WebhookSecretRow & { created_at_ms: number };

const secrets = statement<SigningSecret>(
  "webhook-secrets",
  `select id, encode(sealed, 'base64') as sealed, created_at_ms::float8, expires_at_ms::float8
   from webhook_endpoint_secret where subaccount_id = $1 order by id desc`,
);

/** Newest first, including expired ones since the last rotation. */
export function listSigningSecrets(db: Runner, subaccountId: string): Promise<SigningSecret[]> {
  return db.run(secrets, [subaccountId]);
}
