// Several processes deliver together: each lane has one owner, and lanes of a lost process are taken over.

import { expect, onTestFinished, test } from "vitest";
import { limits } from "../../../src/platform/limits/limits.ts";
import { acquireWorkerLock } from "../../../src/webhooks/delivery/worker-lock.ts";
import { commitEvents, payoutEvent } from "../../support/committed-events.ts";
import {
  attemptsOf,
  connectAgain,
  db,
  endpointOf,
  startDelivery,
  startEndpoint,
  untilNothingWaits,
  untilReceived,
  useDatabase,
} from "../../support/delivery-setup.ts";

useDatabase();

test("processes share the lanes, and each event is sent by one of them", async () => {
  const other = connectAgain();
  onTestFinished(() => other.close());
  const listening = [];
  for (let count = 0; count < 10; count += 1) listening.push(await startEndpoint());
  const deliveries = [await startDelivery(), await startDelivery(undefined, other)];
  for (let round = 0; round < 20; round += 1) {
    await commitEvents(
      db,
      listening.flatMap(({ id }) => [payoutEvent(id), payoutEvent(id)]),
    );
    for (const { id } of listening) deliveries[round % 2]?.hint(id);
  }
  await untilNothingWaits();
  for (const { sink } of listening) expect(sink.received.length).toBe(40);
});

test("the lanes of a process that lost its connection are taken over within three seconds", async () => {
  const other = connectAgain();
  const { sink, id } = await startEndpoint((_received, response) => {
    setTimeout(() => response.writeHead(204).end(), 50);
  });
  const first = await startDelivery(undefined, other);
  await commitEvents(
    db,
    Array.from({ length: 200 }, () => payoutEvent(id)),
  );
  first.hint(id);
  await untilReceived(sink, 1);
  const { owner } = await endpointOf(id);
  await startDelivery();
  // As if it were killed: all of its connections end at once, and it can't reconnect.
  await other.close().catch(() => {});
  await db.pool.query(
    "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = $1",
    [owner],
  );
  const sinceMs = Date.now();
  await expect
    .poll(async () => ![owner, null].includes((await endpointOf(id)).owner), { interval: 20 })
    .toBe(true);
  expect(Date.now() - sinceMs).toBeLessThan(3_000);
  await untilNothingWaits(id);
  const repeated =
    sink.received.length - new Set(sink.received.map((received) => received.id)).size;
  expect(repeated).toBeLessThanOrEqual(2 * limits.laneWidth);
});

test("a process that has lost its lane can't postpone a delivery", async () => {
  const { sink, id } = await startEndpoint((_received, response) => {
    setTimeout(() => response.writeHead(500).end(), 200);
  });
  const event = payoutEvent(id);
  const delivery = await startDelivery();
  const other = await acquireWorkerLock(db, { onLost() {}, channel: "other", onWakeUp() {} });
  onTestFinished(other.close);
  await commitEvents(db, [event]);
  delivery.hint(id);
  await untilReceived(sink, 1);
  await db.pool.query(
    "update webhook_endpoint set epoch = epoch + 1, owner = $2, lease_until_ms = lease_until_ms + 60000 where subaccount_id = $1",
    [id, other.number],
  );
  await expect.poll(() => attemptsOf(event.id)).toHaveLength(1);
  const { rows } = await db.pool.query(
    "select attempts, due_at_ms from delivery where event_id = $1",
    [event.id],
  );
  expect(rows).toEqual([{ attempts: 0, due_at_ms: "0" }]);
  expect(await endpointOf(id)).toMatchObject({ owner: other.number, failure_score: 0 });
});
