// Two services under load on a Patroni cluster, while leaders are killed and switched over. One reaches the leader through
// HAProxy, the other finds it among all nodes.

import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../../src/platform/db/connect.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { sealWith } from "../../src/platform/encryption/seal.ts";
import { ensureInstallation } from "../../src/tenants/installation/installation.ts";
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

/** The longest time without a payout, by the way to the database, and without an event, around each failover. */
export type GapsMs = { haproxy: number[]; hosts: number[]; events: number[] };

type FailoversSeen = OutageLoadSeen & {
  postgresql: string;
  killMs: GapsMs;
  switchoverMs: GapsMs;
};

/** The pause of a caller between payouts: the cluster, the service and the callers share one machine. */
const pauseMs = 200;

export async function failOver(options: Failovers): Promise<FailoversSeen> {
  const { kills, switchovers, masterKey, onFailover = () => {} } = options;
  const cluster = await startPatroni();
  const { haproxyUrl, hostsUrl } = cluster;
  const db = connect({ connection: { connectionString: haproxyUrl }, poolMax: 4 });
  const failovers: { isSwitchover: boolean; fromMs: number }[] = [];

  async function killOnce(): Promise<void> {
    await cluster.killLeader();
    // Only a leader that stays away is replaced.
    await load.untilFlowing();
    await cluster.startKilled();
  }
  async function switchOnce(): Promise<void> {
    await cluster.switchOver();
    await load.untilFlowing();
  }

  let load: OutageLoad;
  try {
    await migrate(db);
    await ensureInstallation(db, sealWith(masterKey));
    load = await startOutageLoad({ db, urls: [haproxyUrl, hostsUrl], masterKey, pauseMs });
  } catch (error) {
    await db.close();
    await cluster.close();
    throw error;
  }
  try {
    const total = kills + switchovers;
    for (let done = 0; done < total; done += 1) {
      await cluster.untilWhole();
      await load.untilFlowing();
      await sleep(Math.random() * 1_000);
      // A switchover after every third kill, and those that are left at the end.
      const switched = failovers.filter((one) => one.isSwitchover).length;
      const isSwitchover = switched < switchovers && (done % 4 === 3 || done - switched === kills);
      failovers.push({ isSwitchover, fromMs: Date.now() });
      await (isSwitchover ? switchOnce() : killOnce());
      onFailover(done + 1);
    }
    await cluster.untilWhole();
    const seen = await load.finish();
    const { rows } = await db.pool.query("show server_version");
    const paidBy = (service: number) => load.paid.filter((one) => one.service === service);
    const gaps = (ofSwitchovers: boolean): GapsMs => {
      // Each ends where the next one begins.
      const spans = failovers.flatMap(({ isSwitchover, fromMs }, index) =>
        isSwitchover === ofSwitchovers
          ? { fromMs, toMs: failovers[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY }
          : [],
      );
      return {
        haproxy: longestGaps(spans, paidBy(0)),
        hosts: longestGaps(spans, paidBy(1)),
        events: longestGaps(spans, load.received),
      };
    };
    const postgresql = rows[0].server_version;
    return { ...seen, postgresql, killMs: gaps(false), switchoverMs: gaps(true) };
  } finally {
    await load.close();
    await db.close();
    await cluster.close();
  }
}
