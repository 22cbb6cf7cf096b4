// Delivery under test: on a database of the file's own, to real receivers, all of it closed with its test.

import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { connect, type Db } from "../../src/db/connect.ts";
import { poster } from "../../src/delivery/http-client/post.ts";
import { type DeliveryWorker, startDeliveryWorker } from "../../src/delivery/worker.ts";
import { newDatabase } from "./service.ts";
import { type Heard, type Sink, startSink } from "./sink.ts";
import { type Listener, newListener, waitingCount } from "./telling.ts";

export let parts: Awaited<ReturnType<typeof newDatabase>>;
export let db: Db;

/** To be called by each file: files share this module, and each needs a database of its own. */
export function useDatabase(): void {
  beforeAll(async () => {
    parts = await newDatabase();
    db = parts.db;
  });
  afterAll(() => db.close());
}
/** What it warned of, in all tests of the file. */
export const logged: unknown[] = [];
const log = { warn: (context: object, message: string) => logged.push([message, context]) };

export async function startDelivering(totalMs?: number, on = db): Promise<DeliveryWorker> {
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
  return { hint: delivery.hint, close };
}

export async function startListening(
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

export const nothingWaits = (id?: string) =>
  expect.poll(() => waitingCount(db, id), { timeout: 20_000 }).toBe(0);
export const heardCount = (sink: Sink, count: number) =>
  expect.poll(() => sink.heard.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(count);
export const stepOf = ({ body }: Heard) => JSON.parse(body).step as number;
export const keyOf = ({ body }: Heard) => JSON.parse(body).payout_id as string;
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

/** Connections of its own, as another process has them. */
export function connectAgain(): Db {
  return connect({ connection: { connectionString: parts.url }, poolMax: 4 });
}
