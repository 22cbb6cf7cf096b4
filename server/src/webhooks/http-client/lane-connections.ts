// The connections of each lane. No other lane uses them, and idle ones are closed.

import { type buildConnector, Pool } from "undici";
import { type AddressPolicy, addressProblem } from "../../platform/addresses/index.ts";
import { limits } from "../../platform/limits/index.ts";

export type LaneConnection = {
  url: string;
  path: string;
  /** Absent: nothing may be sent to this URL. */
  pool: Pool | undefined;
  running: number;
  usedMs: number;
};

type LaneConnections = {
  /** Counts a call as running. The caller counts it down again. */
  take(name: string, url: string, nowMs: number): LaneConnection;
  close(): Promise<void>;
};

/** Most servers close idle connections after 5 s. Using one at that moment would cost an attempt. */
const keepAliveMs = 4_000;

export function laneConnections({
  policy,
  connect,
  idleMs = limits.laneIdleMs,
}: {
  policy: AddressPolicy;
  connect: buildConnector.connector;
  idleMs?: number;
}): LaneConnections {
  const lanes = new Map<string, LaneConnection>();
  const closing = new Set<Promise<void>>();
  const poolOptions: Pool.Options = {
    connect,
    connections: limits.connectionsPerLaneMax,
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: limits.answerHeaderBytesMax,
    // The call as a whole has a timeout.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: idleMs,
  };
  const timer = setInterval(closeIdle, idleMs / 4).unref();

  function take(name: string, url: string, nowMs: number): LaneConnection {
    let lane = lanes.get(name);
    if (lane?.url !== url) {
      if (lane) retire(name, lane);
      else if (lanes.size >= limits.lanesConnectedMax) closeOldest();
      lane = open(url);
      lanes.set(name, lane);
    }
    lane.running += 1;
    lane.usedMs = nowMs;
    return lane;
  }

  function open(url: string): LaneConnection {
    const lane = { url, path: "", pool: undefined, running: 0, usedMs: 0 };
    if (addressProblem(url, policy)) return lane;
    const { origin, pathname, search } = new URL(url);
    const pool = new Pool(origin, poolOptions);
    return { ...lane, path: `${pathname}${search}`, pool };
  }

  /** Running calls are finished. */
  function retire(name: string, { pool }: LaneConnection): void {
    lanes.delete(name);
    if (!pool) return;
    const closed = pool.close().finally(() => closing.delete(closed));
    closing.add(closed);
  }

  function closeIdle(): void {
    const sinceMs = performance.now() - idleMs;
    for (const [name, lane] of lanes) {
      if (lane.running === 0 && lane.usedMs < sinceMs) retire(name, lane);
    }
  }

  function closeOldest(): void {
    let oldest: [string, LaneConnection] | undefined;
    for (const entry of lanes) {
      const [, { running, usedMs }] = entry;
      if (running === 0 && !(oldest && oldest[1].usedMs <= usedMs)) oldest = entry;
    }
    if (oldest) retire(...oldest);
  }

  return {
    take,
    async close() {
      clearInterval(timer);
      await Promise.all([...lanes.values()].map(({ pool }) => pool?.destroy()));
      lanes.clear();
      await Promise.all(closing);
    },
  };
}
