// Dead endpoints with many waiting events beside live ones, which should not be delayed.

import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { idTimeMs } from "../../src/platform/base/ids.ts";
import { connect, type Db } from "../../src/platform/db/connect.ts";
import { startWakeUps } from "../../src/webhooks/delivery/wake-ups.ts";
import { insertTestEvents, newListener, payoutEvent } from "../support/committed-events.ts";
import { startSink } from "../support/sink.ts";
import { addThreeSpeeds } from "../support/three-speeds.ts";
import { type ServiceParts, startWorker } from "../support/worker.ts";
import { insertBacklog, settle } from "./backlog.ts";

type Starvation = {
  live: number;
  dead: number;
  /** Events that wait for each dead endpoint. */
  backlog: number;
  perSecond: number;
  /** Seconds without and with dead endpoints. */
  aloneS: number;
  besideS: number;
  onSecond?: (seconds: number) => void;
};

type StarvationSeen = {
  committed: number;
  missing: number;
  /** Milliseconds from the commit to the arrival of each event. */
  aloneMs: number[];
  besideMs: number[];
  /** Requests to each dead endpoint in its worst minute. */
  deadRequests: Record<string, number>;
  /** What is wrong at the further endpoints of the first live subaccount. */
  complaints: string[];
};

const lateMs = 10_000;
const minuteMs = 60_000;

export async function starve(parts: ServiceParts, options: Starvation): Promise<StarvationSeen> {
  const { live, dead, backlog, perSecond, aloneS, besideS, onSecond = () => {} } = options;
  const db = connect({ connection: { connectionString: parts.url }, poolMax: 12 });
  const receivedAtMs = new Map<string, number>();
  const alive = await startSink(({ id, atMs }, response) => {
    if (!receivedAtMs.has(id)) receivedAtMs.set(id, atMs);
    response.writeHead(204).end();
  });
  // Only the time of each request is kept.
  const kinds = [
    ["hangs", (await startSink(() => {})) as Sink],
    ["answers 500", await startSink((_received, response) => response.writeHead(500).end())],
    ["refuses", undefined],
  ] as const;
  const refusing = await closedPort();
  const lanes: string[] = [];
  for (let lane = 0; lane < live; lane += 1) {
    lanes.push((await newListener(parts, alive.url(`/${lane}`))).subaccountId);
  }
  const further = await addThreeSpeeds({ db, seal: parts.seal }, lanes.slice(0, 1));
  const wakeUps = startWakeUps(db);
  const committedMs = new Map<string, number>();

  async function commitOne(turn: number): Promise<void> {
    const subaccountId = lanes[turn % lanes.length] as string;
    const event = payoutEvent(subaccountId);
    const client = await db.pool.connect();
    try {
      await client.query("begin");
      await insertTestEvents(client, [event]);
      committedMs.set(`evt_${event.id}`, Date.now());
      await client.query("commit");
    } finally {
      client.release();
    }
    wakeUps.add(subaccountId);
  }

  /** Commits events at a steady rate, waits for them for 10 s at most, and returns the latency of each received one. */
  async function commitFor(seconds: number, onTick: (passedS: number) => void): Promise<number[]> {
    committedMs.clear();
    const startMs = performance.now();
    const under: Promise<void>[] = [];
    for (let committed = 0; committed < seconds * perSecond; ) {
      const passedS = (performance.now() - startMs) / 1000;
      for (; committed < passedS * perSecond && committed < seconds * perSecond; committed += 1) {
        under.push(commitOne(committed));
      }
      onTick(passedS);
      await sleep(5);
    }
    await Promise.all(under);
    const endMs = Date.now() + lateMs;
    const isReceived = () => [...committedMs.keys()].every((id) => receivedAtMs.has(id));
    while (!isReceived() && Date.now() < endMs) await sleep(50);
    return [...committedMs].flatMap(([id, atMs]) => {
      const receivedMs = receivedAtMs.get(id);
      return receivedMs === undefined ? [] : Math.max(0, receivedMs - atMs);
    });
  }

  const workers = await Promise.all([startWorker(parts), startWorker(parts)]);
  try {
    const aloneMs = await commitFor(aloneS, () => {});
    const asked = new Map<string, { name: string; paths: Sink | undefined; path: string }>();
    for (let index = 0; index < dead; index += 1) {
      const [kind, sink] = kinds[index % kinds.length] as (typeof kinds)[number];
      const path = `/${index}`;
      const url = sink ? sink.url(path) : `http://127.0.0.1:${refusing}/`;
      const { subaccountId } = await newListener(parts, url);
      asked.set(subaccountId, { name: `${kind}, no. ${index + 1}`, paths: sink, path });
      await insertBacklog(db, { subaccountId, events: backlog, perPayout: 1 });
    }
    await settle(db);
    const besideMs = await commitFor(besideS, onSecond);
    const deadRequests: Record<string, number> = {};
    for (const [subaccountId, { name, paths, path }] of asked) {
      const receivedMs = paths?.received.filter((one) => one.path === path).map(({ atMs }) => atMs);
      const times = receivedMs ?? (await attemptTimes(db, subaccountId));
      deadRequests[name] = worstMinute(times);
    }
    const committed = Math.ceil(besideS * perSecond);
    const complaints = await further.finish(lateMs);
    const missing = committed - besideMs.length;
    return { committed, missing, aloneMs, besideMs, deadRequests, complaints };
  } finally {
    wakeUps.close();
    await Promise.all(workers.map((worker) => worker.end("SIGKILL")));
    await further.close();
    for (const sink of [alive, ...kinds.flatMap(([, one]) => one ?? [])]) await sink.close();
    await db.close();
  }
}

type Sink = Awaited<ReturnType<typeof startSink>>;

async function attemptTimes({ pool }: Db, subaccountId: string): Promise<number[]> {
  const { rows } = await pool.query<{ id: string }>(
    "select id from delivery_attempt where subaccount_id = $1 order by id",
    [subaccountId],
  );
  return rows.map(({ id }) => idTimeMs(id));
}

function worstMinute(times: readonly number[]): number {
  const within = times.map(
    (from) => times.filter((ms) => ms >= from && ms < from + minuteMs).length,
  );
  return Math.max(0, ...within);
}

/** A port without a listener. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
