// The service under load on a Patroni cluster, while leaders are killed and switched over.

import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../../src/db/connect.ts";
import { migrate } from "../../src/db/migrate.ts";
import { sealWith } from "../../src/seal.ts";
import { ensureInstallation } from "../../src/subaccounts/installation.ts";
import { startPatroni } from "../support/patroni-cluster.ts";
import {
  longestGaps,
  type OutageLoad,
  type OutageLoadSeen,
  startOutageLoad,
} from "./outage-load.ts";

type Failovers = {
  kills: number;
  switchovers: number;
  masterKey: Buffer;
  onFailover?: (done: number) => void;
};

/** The longest time without a payout, and without an event, around each failover. */
type GapsMs = { payouts: number[]; events: number[] };

type FailoversSeen = OutageLoadSeen & {
  postgresql: string;
  killMs: GapsMs;
  switchoverMs: GapsMs;
};

type Span = { fromMs: number; toMs: number };

/** The pause of a caller between payouts: the cluster, the service and the callers share one machine. */
const pauseMs = 200;

export async function failOver(options: Failovers): Promise<FailoversSeen> {
  const { kills, switchovers, masterKey, onFailover = () => {} } = options;
  const cluster = await startPatroni();
  const { url } = cluster;
  const db = connect({ connection: { connectionString: url }, poolMax: 4 });
  const killed: Span[] = [];
  const switched: Span[] = [];

  async function killOnce(): Promise<void> {
    const fromMs = Date.now();
    await cluster.killLeader();
    // Only a leader that stays away is replaced.
    await load.untilFlowing();
    killed.push({ fromMs, toMs: Date.now() });
    await cluster.startKilled();
  }
  async function switchOnce(): Promise<void> {
    const fromMs = Date.now();
    await cluster.switchOver();
    await load.untilFlowing();
    switched.push({ fromMs, toMs: Date.now() });
  }

  let load: OutageLoad;
  try {
    await migrate(db);
    await ensureInstallation(db, sealWith(masterKey));
    load = await startOutageLoad({ db, urls: [url], masterKey, pauseMs });
  } catch (error) {
    await db.close();
    await cluster.close();
    throw error;
  }
  try {
    // A switchover after every third kill.
    const total = kills + switchovers;
    for (let done = 0; done < total; done += 1) {
      await cluster.untilWhole();
      await load.untilFlowing();
      await sleep(Math.random() * 1_000);
      const isTurn = done % 4 === 3 && switched.length < switchovers;
      const isSwitchover = isTurn || killed.length === kills;
      await (isSwitchover ? switchOnce() : killOnce());
      onFailover(done + 1);
    }
    await cluster.untilWhole();
    const seen = await load.finish();
    const { rows } = await db.pool.query("show server_version");
    const gaps = (spans: Span[]): GapsMs => ({
      payouts: longestGaps(spans, load.paid),
      events: longestGaps(spans, load.received),
    });
    const postgresql = rows[0].server_version;
    return { ...seen, postgresql, killMs: gaps(killed), switchoverMs: gaps(switched) };
  } finally {
    await load.close();
    await db.close();
    await cluster.close();
  }
}
