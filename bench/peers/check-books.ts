// Checks that the peer lost and invented nothing: money, payouts and events.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { payerFunds } from "../payees.ts";
import type { DelivererProcess } from "../server-process.ts";
import { type PeerDatabase, setPeerEndpoints } from "./database.ts";

/** Every balance is what was funded less its payouts, and every payout has one event. */
export async function checkPeerBooks({ db }: PeerDatabase): Promise<void> {
  const { rows: wrong } = await db.pool.query(
    `select b.subaccount_id from balance b
     left join (select subaccount_id, sum(amount) as paid from payout group by 1) p using (subaccount_id)
     where b.held <> coalesce(paid, 0) or b.available <> $1::bigint - coalesce(paid, 0)`,
    [payerFunds],
  );
  assert.deepEqual(wrong, [], "balances of the peer that differ from its payouts");
  const { rows: counted } = await db.pool.query(
    `select (select count(*) from payout) as payouts, count(distinct body::json ->> 'payout_id') as events,
       count(*) as all_events from outbox_event`,
  );
  const { payouts, events, all_events } = counted[0];
  assert.deepEqual(
    [events, all_events],
    [payouts, payouts],
    "events of the peer, one for each payout",
  );
}

type Endpoint = { subaccountId: string; secret: string };

/** One event for each endpoint arrives there once, with a signature that the library of Standard Webhooks accepts. */
export async function checkPeerDelivery(
  worker: DelivererProcess,
  database: PeerDatabase,
  endpoints: readonly Endpoint[],
): Promise<void> {
  const paths: number[] = [];
  const problems: unknown[] = [];
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join("");
    try {
      const path = Number(request.url?.slice(1));
      new Webhook((endpoints[path] as Endpoint).secret).verify(
        body,
        request.headers as Record<string, string>,
      );
      paths.push(path);
    } catch (problem) {
      problems.push(problem);
    }
    response.writeHead(204).end();
    if (paths.length + problems.length === endpoints.length) server.emit("all");
  });
  const all = new Promise((resolve) => server.once("all", resolve));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await setPeerEndpoints(database, { origin: `http://127.0.0.1:${port}`, endpoints });
  await worker.tell({ command: "load", count: endpoints.length });
  await worker.tell({ command: "start" });
  await all;
  await worker.tell({ command: "stop" });
  server.close();
  assert.deepEqual(problems, []);
  assert.deepEqual(
    paths.toSorted((left, right) => left - right),
    endpoints.map((_, index) => index),
  );
  const { rows } = await database.db.pool.query(
    "select count(*)::int as undelivered from outbox_event where delivered_at is null",
  );
  assert.deepEqual(rows, [{ undelivered: 0 }]);
}
