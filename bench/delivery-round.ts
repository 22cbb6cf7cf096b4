// One round of deliveries: waiting events, until all are sent and recorded.

import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../server/src/platform/db/connect.ts";
import { settle } from "./database.ts";
import type { DelivererProcess, Sink } from "./server-process.ts";

type Delivering = {
  worker: DelivererProcess;
  db: Db;
  sink: Sink;
  count: number;
  /** Finds an event that is not recorded as delivered yet. Absent: the deliverer records nothing. */
  remains?: string | undefined;
};

/** `serviceUs` is microseconds of processor time per event, in the process that delivers. */
export type DeliveryRound = { perSecond: number; serviceUs: number };

export async function deliverAll(delivering: Delivering): Promise<DeliveryRound> {
  const { worker, db, sink, count, remains } = delivering;
  await worker.tell({ command: "load", count });
  await settle(db);
  const allReceived = sink.expect(count);
  const startMs = performance.now();
  await worker.tell({ command: "start" });
  await allReceived;
  while (remains && (await db.pool.query(remains)).rowCount !== 0) await sleep(2);
  const tookMs = performance.now() - startMs;
  const { cpuUs } = await worker.tell({ command: "stop" });
  return { perSecond: (count * 1000) / tookMs, serviceUs: cpuUs / count };
}
