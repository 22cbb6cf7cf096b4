// How fast one worker delivers waiting events, with PostgreSQL and the endpoints on the same machine.

import { setTimeout as sleep } from "node:timers/promises";
import { newListener, waitingCount } from "../support/committed-events.ts";
import { checkDeliveries, complaints, type DeliveryCheck } from "../support/delivery-check.ts";
import { committedEvents } from "../support/payers.ts";
import { startSink } from "../support/sink.ts";
import { type ServiceParts, startWorker } from "../support/worker.ts";
import { insertBacklog, settle } from "./backlog.ts";

type Drain = { events: number; lanes: number; onReceived?: (received: number) => void };

type DrainSeen = DeliveryCheck & { perSecond: number; complaints: string[] };

const drainMs = 180_000;

export async function drain(
  parts: ServiceParts,
  { events, lanes, onReceived = () => {} }: Drain,
): Promise<DrainSeen> {
  const { db } = parts;
  const sink = await startSink();
  try {
    for (let lane = 0; lane < lanes; lane += 1) {
      const { subaccountId } = await newListener(parts, sink.url(`/${lane}`));
      await insertBacklog(db, { subaccountId, events: events / lanes, perPayout: 3 });
    }
    await settle(db);
    const worker = await startWorker(parts);
    try {
      const endMs = Date.now() + drainMs;
      while (sink.received.length < events && Date.now() < endMs) {
        onReceived(sink.received.length);
        await sleep(100);
      }
      while ((await waitingCount(db)) > 0 && Date.now() < endMs) await sleep(50);
    } finally {
      await worker.end();
    }
    const checked = checkDeliveries(await committedEvents(db), sink.received);
    const [first, last] = [sink.received[0]?.atMs ?? 0, sink.received.at(-1)?.atMs ?? 1];
    const said = complaints(checked);
    if (checked.repeats > 0) said.push(`${checked.repeats} events were delivered twice`);
    const perSecond = Math.round((sink.received.length * 1000) / Math.max(1, last - first));
    return { ...checked, perSecond, complaints: said };
  } finally {
    await sink.close();
  }
}
