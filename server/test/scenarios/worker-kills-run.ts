// Two delivery workers are killed many times in the middle of their work, and replaced at once.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../../src/platform/db/connect.ts";
import { limits } from "../../src/platform/limits/limits.ts";
import { workerLockClass } from "../../src/webhooks/delivery/worker-lock.ts";
import { newListener, waitingCount } from "../support/committed-events.ts";
import { checkDeliveries, complaints, type DeliveryCheck } from "../support/delivery-check.ts";
import { startEventLoad } from "../support/event-load.ts";
import type { Serving } from "../support/process.ts";
import { type Received, startSink } from "../support/sink.ts";
import { addThreeSpeeds } from "../support/three-speeds.ts";
import { type ServiceParts, startWorker } from "../support/worker.ts";
import { randomOf } from "./seeded-draw.ts";

type WorkerKills = {
  lanes: number;
  payouts: number;
  events: number;
  kills: number;
  seed: number;
  /** The share of refusing responses, after which the event is retried. */
  refusedShare: number;
  onKill?: (killed: number) => void;
};

type WorkerKillsSeen = DeliveryCheck & {
  committed: number;
  rolledBack: number;
  refused: number;
  repeatsMax: number;
  /** Milliseconds from each kill to the first event that another worker delivers on each lane. */
  takeoverMs: number[];
  complaints: string[];
};

type Worker = { name: string; serving: Serving };
type Takeover = { path: string; killedMs: number; freedMs: number };

/** The time limit for all deliveries: longer than a lease, which is the last resort. */
const drainMs = 90_000;

export async function killWorkers(
  { db: shared, seal, url, masterKey }: ServiceParts,
  { lanes, payouts, events, kills, seed, refusedShare, onKill = () => {} }: WorkerKills,
): Promise<WorkerKillsSeen> {
  const random = randomOf(seed);
  const compiled = mkdtempSync(join(tmpdir(), "disburse-compiled-"));
  const db = connect({ connection: { connectionString: url }, poolMax: 8 });
  const refused = new Set<Received>();
  const sink = await startSink((received, response) => {
    const isRefused = random() < refusedShare;
    if (isRefused) refused.add(received);
    setTimeout(() => response.writeHead(isRefused ? 500 : 204).end(), random() * 20);
  });
  const paths = new Map<string, string>();
  for (let lane = 0; lane < lanes; lane += 1) {
    const path = `/${lane}`;
    const { subaccountId } = await newListener({ db, seal }, sink.url(path));
    paths.set(subaccountId, path);
  }
  const further = await addThreeSpeeds({ db, seal }, [...paths.keys()].slice(0, 3));
  const load = await startEventLoad({ db, subaccountIds: [...paths.keys()], payouts, random });
  const up: Worker[] = [];
  const takeovers: Takeover[] = [];
  const watches: Promise<void>[] = [];
  let raised = 0;
  let isOver = false;

  async function startOne(): Promise<void> {
    raised += 1;
    const name = `worker-${raised}`;
    const serving = await startWorker({ url, masterKey }, { name, compiled });
    if (isOver) await serving.end("SIGKILL");
    else up.push({ name, serving });
  }

  async function numberOf({ name }: Worker): Promise<number | undefined> {
    const { rows } = await db.pool.query(
      `select l.objid::int as number from pg_locks l join pg_stat_activity a using (pid)
       where l.locktype = 'advisory' and l.classid = $1 and a.application_name = $2`,
      [workerLockClass, name],
    );
    return rows[0]?.number;
  }

  /** The killed worker's lanes with waiting events, and when another worker claimed each. */
  async function watchTakeover(dead: number, killedMs: number): Promise<void> {
    const { rows } = await db.pool.query<{ id: string }>(
      `select subaccount_id as id from webhook_endpoint e where owner = $1 and exists (
         select from delivery d where d.subaccount_id = e.subaccount_id and due_at_ms = 0)`,
      [dead],
    );
    const left = new Set(rows.map(({ id }) => id));
    while (left.size > 0 && !isOver) {
      const { rows: freed } = await db.pool.query<{ id: string }>(
        `select subaccount_id as id from webhook_endpoint
         where subaccount_id = any($1) and owner is distinct from $2`,
        [[...left], dead],
      );
      for (const { id } of freed) {
        left.delete(id);
        takeovers.push({ path: paths.get(id) as string, killedMs, freedMs: Date.now() });
      }
      await sleep(10);
    }
  }

  try {
    await Promise.all([startOne(), startOne()]);
    const share = events / kills;
    let startingOne: Promise<void> = Promise.resolve();
    for (let killed = 1; killed <= kills; killed += 1) {
      const before = sink.received.length;
      const committing = load.commitUpTo(Math.round(share * killed));
      // Kills in the middle of the deliveries, but waits at most 5 seconds, because none may be left.
      const wanted = before + random() * 0.7 * share;
      const endMs = Date.now() + 5_000;
      while (sink.received.length < wanted && Date.now() < endMs) await sleep(5);
      const victim = up.shift() as Worker;
      const number = await numberOf(victim);
      const killedMs = Date.now();
      await victim.serving.end("SIGKILL");
      if (number !== undefined) watches.push(watchTakeover(number, killedMs));
      // After the last kill, the remaining worker delivers the rest.
      if (killed < kills) startingOne = startOne();
      // Every tenth time, the next worker is killed before there are two again.
      if (killed % 10 !== 0) await startingOne;
      await Promise.all([committing, startingOne]);
      onKill(killed);
    }
    const endMs = Date.now() + drainMs;
    while (Date.now() < endMs && (await waitingCount(shared)) > 0) await sleep(100);
    const ofFurther = await further.finish(drainMs);
    // A late event would have arrived by now.
    await sleep(500);
    isOver = true;
    await Promise.all(watches);
    const codes = await Promise.all(up.splice(0).map(({ serving }) => serving.end()));

    const checked = checkDeliveries(load.committed, sink.received, (received) =>
      refused.has(received),
    );
    const repeatsMax = kills * lanes * 2 * limits.laneWidth;
    const said = [...complaints(checked), ...ofFurther];
    if (checked.repeats > repeatsMax) said.push(`${checked.repeats} repeats of ${repeatsMax}`);
    if (codes.some((code) => code !== 0)) said.push(`at the end they exited with ${codes}`);
    return {
      ...checked,
      ...{ committed: load.committed.length, rolledBack: load.rolledBack(), refused: refused.size },
      repeatsMax,
      takeoverMs: takeovers.flatMap((takeover) => firstReceivedMs(sink.received, takeover)),
      complaints: said,
    };
  } finally {
    isOver = true;
    load.close();
    for (const { serving } of up) await serving.end("SIGKILL");
    await Promise.allSettled(watches);
    await db.close();
    await sink.close();
    await further.close();
    rmSync(compiled, { recursive: true, force: true });
  }
}

function firstReceivedMs(
  received: readonly Received[],
  { path, killedMs, freedMs }: Takeover,
): number[] {
  const first = received.find((one) => one.atMs >= freedMs && one.path === path);
  return first ? [first.atMs - killedMs] : [];
}
