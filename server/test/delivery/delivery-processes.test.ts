// Several processes deliver together: each lane has one owner, and lanes of a lost process are taken over.

import { expect, onTestFinished, test } from "vitest";
import { acquireWorkerLock } from "../../src/delivery/worker-lock.ts";
import { limits } from "../../src/limits.ts";
import {
  attemptsOf,
  connectAgain,
  db,
  endpointOf,
  heardCount,
  nothingWaits,
  startDelivering,
  startListening,
  useDatabase,
} from "../support/delivering.ts";
import { payoutEvent, tell } from "../support/telling.ts";

useDatabase();

test("processes share the lanes, and each event is sent by one of them", async () => {
  const other = connectAgain();
  onTestFinished(() => other.close());
  const listening = [];
  for (let count = 0; count < 10; count += 1) listening.push(await startListening());
  const deliveries = [await startDelivering(), await startDelivering(undefined, other)];
  for (let round = 0; round < 20; round += 1) {
    await tell(
      db,
      listening.flatMap(({ id }) => [payoutEvent(id), payoutEvent(id)]),
    );
    for (const { id } of listening) deliveries[round % 2]?.hint(id);
  }
  await nothingWaits();
  for (const { sink } of listening) expect(sink.heard.length).toBe(40);
});

test("the lanes of a process that lost its connection are taken over within about a second", async () => {
  const other = connectAgain();
  const { sink, id } = await startListening((_heard, response) => {
    setTimeout(() => response.writeHead(204).end(), 50);
  });
  const first = await startDelivering(undefined, other);
  await tell(
    db,
    Array.from({ length: 200 }, () => payoutEvent(id)),
  );
  first.hint(id);
  await heardCount(sink, 1);
  const { owner } = await endpointOf(id);
  await startDelivering();
  // As when it is killed: all of its connections go at once, and it can't come back.
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
  await nothingWaits(id);
  const repeated = sink.heard.length - new Set(sink.heard.map((heard) => heard.id)).size;
  expect(repeated).toBeLessThanOrEqual(2 * limits.laneWidth);
});

test("a process that has lost its lane can't postpone a delivery", async () => {
  const { sink, id } = await startListening((_heard, response) => {
    setTimeout(() => response.writeHead(500).end(), 200);
  });
  const event = payoutEvent(id);
  const delivery = await startDelivering();
  const other = await acquireWorkerLock(db, { onLost() {}, channel: "other", onWakeUp() {} });
  onTestFinished(other.close);
  await tell(db, [event]);
  delivery.hint(id);
  await heardCount(sink, 1);
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
