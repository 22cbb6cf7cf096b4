// Delivery for tests: a database for each file, and real webhook endpoints that are closed after their test.

import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { connect, type Db } from "../../src/platform/db/connect.ts";
import { type DeliveryWorker, startDeliveryWorker } from "../../src/webhooks/delivery/worker.ts";
import { poster } from "../../src/webhooks/http-client/post.ts";
import { type Listener, newListener, waitingCount } from "./committed-events.ts";
import { newDatabase } from "./service.ts";
import { type Received, type Sink, startSink } from "./sink.ts";

export let parts: Awaited<ReturnType<typeof newDatabase>>;
export let db: Db;

/** Each file calls this: files share this module, and each needs its own database. */
export function useDatabase(): void {
  beforeAll(async () => {
    parts = await newDatabase();
    db = parts.db;
  });
  afterAll(() => db.close());
}
/** The worker's warnings in all tests of the file. */
export const logged: unknown[] = [];
const log = { warn: (context: object, message: string) => logged.push([message, context]) };

export async function startDelivery(totalMs?: number, on = db): Promise<DeliveryWorker> {
  const posting = poster({
    policy: "loopback",
    ...(totalMs !== undefined && { timeouts: { totalMs } }),
  });
  const delivery = startDeliveryWorker({ db: on, seal: parts.seal, poster: posting, log });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= delivery.close().then(() => posting.close());
    return closing;
  };
  onTestFinished(close);
  return { ...delivery, close };
}

export async function startEndpoint(
  answer?: Parameters<typeof startSink>[0],
): Promise<{ sink: Sink; listener: Listener; id: string }> {
  const sink = await startSink(answer);
  onTestFinished(sink.close);
  const listener = await newListener(parts, sink.url("/events?of=us"));
  onTestFinished(async () => {
    await db.pool.query("delete from delivery where subaccount_id = $1", [listener.subaccountId]);
  });
  return { sink, listener, id: listener.subaccountId };
}

export const untilNothingWaits = (id?: string) => expect.poll(() => waitingCount(db, id)).toBe(0);
export const untilReceived = (sink: Sink, count: number) =>
  expect.poll(() => sink.received.length).toBeGreaterThanOrEqual(count);
export const stepOf = ({ body }: Received) => JSON.parse(body).step as number;
export const keyOf = ({ body }: Received) => JSON.parse(body).payout_id as string;
export async function endpointOf(id: string) {
  const { rows } = await db.pool.query("select * from webhook_endpoint where subaccount_id = $1", [
    id,
  ]);
  return rows[0];
}
export async function attemptsOf(eventId: string) {
  const { rows } = await db.pool.query(
    "select number, status, failure, detail, took_ms, answer from delivery_attempt where event_id = $1 order by id",
    [eventId],
  );
  return rows;
}

/** A second pool of connections, as another process would have. */
export function connectAgain(): Db {
  return connect({ connection: { connectionString: parts.url }, poolMax: 4 });
}
