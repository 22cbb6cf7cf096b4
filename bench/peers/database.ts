// The peer's database, with the same subaccounts, keys, receivers and accounts as a database of Disburse.

import { readFileSync } from "node:fs";
import type pg from "pg";
import type { Db } from "../../server/src/platform/db/connect.ts";
import { type Caller, type Database, type Postgres, settle } from "../database.ts";
import { type Payer, payerFunds } from "../payees.ts";
import { peerTables } from "./build.ts";

export type PeerDatabase = { db: Db; connection: pg.ClientConfig };

const chunk = 5_000;

export async function createPeerDatabase(
  postgres: Postgres,
  name: string,
  callers: readonly Caller[],
): Promise<PeerDatabase> {
  const { db, connection } = await postgres.createEmptyDatabase(name);
  await db.pool.query(readFileSync(peerTables, "utf8"));
  await db.pool.query(
    `with given as (select * from json_to_recordset($1) as input("subaccountId" uuid, key text, secret text)),
     subaccounts as (insert into subaccount (id) select "subaccountId" from given)
     insert into api_key (key, secret, subaccount_id) select key, secret, "subaccountId" from given`,
    [JSON.stringify(callers)],
  );
  return { db, connection };
}

/** Copies all receivers of a database of Disburse, with their ids. */
export async function copyReceivers({ db: from }: Database, { db: to }: PeerDatabase) {
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const { rows } = await from.pool.query(
      "select * from receiver where id > $1 order by id limit $2",
      [after, chunk],
    );
    if (rows.length === 0) break;
    await to.pool.query(
      "insert into receiver select * from json_populate_recordset(null::receiver, $1)",
      [JSON.stringify(rows)],
    );
    after = rows.at(-1).id;
  }
  await settle(to);
}

/** Gives each payer its account and the money that it has in Disburse. */
export async function addPeerPayers({ db }: PeerDatabase, payers: readonly Payer[]): Promise<void> {
  const rows = payers.map(({ caller: { subaccountId }, receiverId, accountId }) => ({
    ...{ subaccountId, receiverId, accountId },
  }));
  await db.pool.query(
    `with given as (
       select * from json_to_recordset($1) as input("subaccountId" uuid, "receiverId" uuid, "accountId" uuid)
     ), balances as (
       insert into balance (subaccount_id, currency, available, held)
       select "subaccountId", 'AUD', ${payerFunds}, 0 from given
     )
     insert into receiver_account (id, subaccount_id, receiver_id, currency, status, account_number, bsb)
     select "accountId", "subaccountId", "receiverId", 'AUD', 'active', '12345999', '062000' from given`,
    [JSON.stringify(rows)],
  );
  await settle(db);
}

type Endpoints = { origin: string; endpoints: readonly { subaccountId: string; secret: string }[] };

/** Subaccounts with a webhook endpoint, each at its own path, or new addresses for them. */
export async function setPeerEndpoints(
  { db }: PeerDatabase,
  { origin, endpoints }: Endpoints,
): Promise<void> {
  const rows = endpoints.map(({ subaccountId, secret }, index) => ({
    ...{ id: subaccountId, webhook_url: `${origin}/${index}`, webhook_secret: secret },
  }));
  await db.pool.query(
    `insert into subaccount select * from json_populate_recordset(null::subaccount, $1)
     on conflict (id) do update set webhook_url = excluded.webhook_url`,
    [JSON.stringify(rows)],
  );
}

type WaitingEvents = { subaccountIds: readonly string[]; count: number; body: string };

/** Waiting events in turn for every subaccount, written as the peer writes them. */
export async function addPeerEvents(
  pool: pg.Pool,
  { subaccountIds, count, body }: WaitingEvents,
): Promise<void> {
  await pool.query(
    `insert into outbox_event (id, subaccount_id, type, body)
     select uuidv7(), ($1::uuid[])[1 + n % cardinality($1::uuid[])], 'payoutCreated', $2
     from generate_series(0, $3::int - 1) as n`,
    [subaccountIds, body, count],
  );
}
