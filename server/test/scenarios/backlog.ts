// Events in bulk, as if they had been waiting for a long time: made by the database itself.

import type { Db } from "../../src/db/connect.ts";

const chunkRows = 20_000;

export type Backlog = { subaccountId: string; events: number; perPayout: number };

/** Of each payout, the first event comes before all second ones, and so on. */
export async function insertBacklog(
  { pool }: Db,
  { subaccountId, events, perPayout }: Backlog,
): Promise<void> {
  const payouts = Math.ceil(events / perPayout);
  for (let first = 0; first < events; first += chunkRows) {
    await pool.query(
      `with made as (
         insert into event (subaccount_id, id, order_key, type, body, created_at_ms, wanted)
         select $1::uuid, uuidv7(), payout, 'payoutCreated',
                json_build_object('event', 'payoutCreated', 'payout_id', payout, 'step', n / $4::int)::text,
                (extract(epoch from now()) * 1000)::bigint, true
         from generate_series($2::int, $3::int) n,
              lateral (select md5($1::uuid::text || n % $4::int)::uuid as payout) p
         order by n
         returning subaccount_id, id, number, order_key, created_at_ms
       )
       insert into delivery (subaccount_id, number, event_id, order_key, since_ms)
       select subaccount_id, number, id, order_key, created_at_ms from made`,
      [subaccountId, first, Math.min(first + chunkRows, events) - 1, payouts],
    );
  }
}

/** As it is after a while: what comes in bulk would otherwise keep PostgreSQL busy with its own housekeeping. */
export async function settle({ pool }: Db): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("set statement_timeout = 0");
    await client.query("vacuum (analyze) event, delivery, webhook_endpoint");
    await client.query("checkpoint");
    await client.query("reset statement_timeout");
  } finally {
    client.release();
  }
}
