// Failures inside the worker: a secret that can't be decrypted or expires, a close in the middle of a claim, a
// connection that breaks during the start, and a lane whose owner is gone.

import { once } from "node:events";
import { type AddressInfo, createServer, connect as dial } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { Webhook } from "standardwebhooks";
import { expect, inject, onTestFinished, test } from "vitest";
import { connect } from "../../../src/platform/db/connect.ts";
import { limits } from "../../../src/platform/limits/limits.ts";
import { findDeliveryState } from "../../../src/webhooks/delivery/state-queries.ts";
import { wakeUpChannel } from "../../../src/webhooks/delivery/wake-ups.ts";
import { acquireWorkerLock } from "../../../src/webhooks/delivery/worker-lock.ts";
import { toPostback } from "../../../src/webhooks/webhook-endpoints/endpoint.ts";
import { type EndpointRow, findEndpoint } from "../../../src/webhooks/webhook-endpoints/queries.ts";
import { rotateSecret } from "../../../src/webhooks/webhook-endpoints/secret.ts";
import { commitEvents, payoutEvent } from "../../support/committed-events.ts";
import {
  connectAgain,
  db,
  endpointOf,
  logged,
  parts,
  startDelivery,
  startEndpoint,
  untilNothingWaits,
  untilReceived,
  useDatabase,
} from "../../support/delivery-setup.ts";
import type { Received } from "../../support/sink.ts";

useDatabase();

async function newClient(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: parts.url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

test("a secret that can't be decrypted is a state of its endpoint, whose events wait for a new secret", async () => {
  // Other tests of this file leave endpoints and events behind.
  const before = await findDeliveryState(db);
  const [broken, other] = [await startEndpoint(), await startEndpoint()];
  const { id } = broken;
  await db.pool.query("update webhook_endpoint_secret set sealed = 'x' where subaccount_id = $1", [
    id,
  ]);
  await commitEvents(db, [payoutEvent(id), payoutEvent(id)]);
  const delivery = await startDelivery();
  await expect.poll(async () => (await endpointOf(id)).secret_unreadable_since_ms).not.toBeNull();
  const found = await findEndpoint(db, id, 10);
  const shown = toPostback(found as EndpointRow, [], Date.now());
  expect(shown).toMatchObject({ status: "failing", waiting: 2 });
  expect(shown.failing_since).toBe(found?.secret_unreadable_since_ms);
  const state = await findDeliveryState(db);
  expect(state?.unreadable_secrets).toBe((before?.unreadable_secrets ?? 0) + 1);
  if (before?.oldest_age_ms === null) expect(state?.oldest_age_ms).toBeNull();
  // Each claim raises the epoch. Neither a hint nor the poll, which finds the other lane, claims this one again.
  const { epoch } = await endpointOf(id);
  delivery.hint(id);
  await commitEvents(db, [payoutEvent(other.id)]);
  await untilReceived(other.sink, 1);
  expect((await endpointOf(id)).epoch).toBe(epoch);
  expect(broken.sink.received).toEqual([]);
  const warnings = logged.filter((line) => JSON.stringify(line).includes(id));
  expect(warnings).toEqual([
    ["events: the newest webhook secret can't be decrypted", expect.anything()],
  ]);

  // The unreadable secret stays valid for a day, and is left out.
  const rotation = { overlapMs: 86_400_000, nowMs: Date.now() };
  const { secret } = await db.transaction((tx) =>
    rotateSecret({ tx, seal: parts.seal }, id, rotation),
  );
  await untilReceived(broken.sink, 2);
  for (const { body, headers } of broken.sink.received) {
    new Webhook(secret).verify(body, headers as Record<string, string>);
  }
  await untilNothingWaits(id);
  expect((await endpointOf(id)).secret_unreadable_since_ms).toBeNull();
});

test("a secret that can't be decrypted stops its own endpoint and no other", async () => {
  const all = [];
  for (let count = 0; count < 8; count += 1) all.push(await startEndpoint());
  const [broken, ...others] = all.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  await db.pool.query("update webhook_endpoint_secret set sealed = 'x' where subaccount_id = $1", [
    broken?.id,
  ]);
  await commitEvents(
    db,
    all.map(({ id }) => payoutEvent(id)),
  );
  await startDelivery();
  for (const { id } of others) await untilNothingWaits(id);
  expect(broken?.sink.received).toEqual([]);
});

test("a wake-up from another process is not sent on, so processes do not wake each other in a loop", async () => {
  const listening = await newClient();
  let notices = 0;
  listening.on("notification", () => {
    notices += 1;
  });
  const { sink, id } = await startEndpoint(() => {});
  const other = connectAgain();
  onTestFinished(() => other.close());
  const first = await startDelivery(3_000);
  await commitEvents(db, [payoutEvent(id)]);
  first.hint(id);
  await untilReceived(sink, 1);
  await startDelivery(3_000, other);
  await sleep(500);
  await listening.query(`listen ${wakeUpChannel}`);
  await listening.query("select pg_notify($1, $2)", [wakeUpChannel, id]);
  await sleep(1_000);
  expect(notices).toBe(1);
});

test("a close in the middle of a claim releases the lane and sends nothing", async () => {
  const { sink, id } = await startEndpoint();
  const holder = await newClient();
  const delivery = await startDelivery();
  await sleep(300);
  await holder.query("begin");
  await holder.query("select from webhook_endpoint where subaccount_id = $1 for update", [id]);
  await commitEvents(db, [payoutEvent(id)]);
  delivery.hint(id);
  await sleep(200);
  const before = logged.length;
  const closing = delivery.close();
  await sleep(300);
  await holder.query("commit");
  await closing;
  expect(await endpointOf(id)).toMatchObject({ owner: null });
  await sleep(300);
  expect(logged.slice(before)).toEqual([]);
  expect(sink.received).toEqual([]);
});

test("a connection that breaks while the lock is acquired is reported once, and not as a lost lock", async () => {
  const holder = await newClient();
  await holder.query("begin; lock table delivery_worker in access exclusive mode");
  const { host, port } = inject("postgres");
  const cut: (() => void)[] = [];
  const proxy = createServer((client) => {
    const upstream = dial(`${host}/.s.PGSQL.${port}`);
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) socket.on("error", () => {});
    cut.push(() => client.resetAndDestroy());
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void proxy.close());
  const url = new URL(parts.url);
  url.search = "";
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const through = connect({ connection: { connectionString: url.href }, poolMax: 1 });
  onTestFinished(() => through.close());
  let losses = 0;
  const onLost = () => {
    losses += 1;
  };
  const presence = acquireWorkerLock(through, { onLost, channel: wakeUpChannel, onWakeUp() {} });
  const refused = expect(presence).rejects.toThrow();
  const waiting = "select from pg_locks where relation = $1::regclass and not granted";
  await expect
    .poll(async () => (await holder.query(waiting, ["delivery_worker"])).rowCount)
    .toBe(1);
  for (const one of cut) one();
  await refused;
  await sleep(50);
  expect(losses).toBe(0);
});

test("a lane that is never idle soon signs with a new secret", async () => {
  const { sink, id } = await startEndpoint((_received, response) => {
    setTimeout(() => response.writeHead(204).end(), 10);
  });
  const delivery = await startDelivery();
  await commitEvents(
    db,
    Array.from({ length: 1_000 }, () => payoutEvent(id)),
  );
  delivery.hint(id);
  await untilReceived(sink, 20);
  const nowMs = Date.now();
  const { secret } = await db.transaction((tx) =>
    rotateSecret({ tx, seal: parts.seal }, id, { overlapMs: 0, nowMs }),
  );
  const before = sink.received.length;
  await untilNothingWaits(id);
  const isNew = ({ headers, body }: Received) => {
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  };
  // Deliveries that were already fetched are still signed with the old secret.
  const old = sink.received.slice(before).filter((received) => !isNew(received));
  expect(old.length).toBeLessThanOrEqual(2 * limits.laneFetchMax);
  expect(sink.received.length).toBe(1_000);
});

test("a lane whose owner is not listed as a worker is claimed before its lease ends", async () => {
  const { sink, id } = await startEndpoint();
  await commitEvents(db, [payoutEvent(id)]);
  // As when a claim is committed after other workers have removed its process.
  await db.pool.query(
    `update webhook_endpoint set owner = 4711, epoch = epoch + 1,
       lease_until_ms = (extract(epoch from now()) * 1000)::bigint + 60000 where subaccount_id = $1`,
    [id],
  );
  await startDelivery();
  await untilReceived(sink, 1);
});
