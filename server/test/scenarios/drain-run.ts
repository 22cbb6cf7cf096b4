// How fast one worker tells what has been waiting, with PostgreSQL and the endpoints on the same machine.

import { setTimeout as sleep } from "node:timers/promises";
import { complaints, type Judged, judgeHearing } from "../support/hearing.ts";
import { committedEvents } from "../support/paying.ts";
import { startSink } from "../support/sink.ts";
import { newListener, waitingCount } from "../support/telling.ts";
import { type ServiceParts, startWorker } from "../support/worker.ts";
import { insertBacklog, settle } from "./backlog.ts";

export type Drain = { events: number; lanes: number; onHeard?: (heard: number) => void };

export type DrainSeen = Judged & { perSecond: number; complaints: string[] };

const drainMs = 180_000;

export async function drain(
  parts: ServiceParts,
  { events, lanes, onHeard = () => {} }: Drain,
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
      while (sink.heard.length < events && Date.now() < endMs) {
        onHeard(sink.heard.length);
        await sleep(100);
      }
      while ((await waitingCount(db)) > 0 && Date.now() < endMs) await sleep(50);
    } finally {
      await worker.end();
    }
    const judged = judgeHearing(await committedEvents(db), sink.heard);
    const [first, last] = [sink.heard[0]?.atMs ?? 0, sink.heard.at(-1)?.atMs ?? 1];
    const said = complaints(judged);
    if (judged.repeats > 0) said.push(`${judged.repeats} events were told twice`);
    const perSecond = Math.round((sink.heard.length * 1000) / Math.max(1, last - first));
    return { ...judged, perSecond, complaints: said };
  } finally {
    await sink.close();
  }
}
