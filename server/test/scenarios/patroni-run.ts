// The service under load on a Patroni cluster, while leaders are killed and switched over.

import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../../src/db/connect.ts";
import { migrate } from "../../src/db/migrate.ts";
import { sealWith } from "../../src/seal.ts";
import { ensureInstallation } from "../../src/subaccounts/installation.ts";
import { startPatroni } from "../support/patroni-cluster.ts";
import { nextAfter, type OutageLoad, type OutageLoadSeen, startOutageLoad } from "./outage-load.ts";

type Failovers = {
  kills: number;
  switchovers: number;
  masterKey: Buffer;
  onFailover?: (done: number) => void;
};

type FailoversSeen = OutageLoadSeen & {
  postgresql: string;
  /** Milliseconds from each kill or switchover to the next payout, and to the next event. */
  afterKillMs: { payouts: number[]; events: number[] };
  afterSwitchoverMs: { payouts: number[]; events: number[] };
};

/** The pause of a caller between payouts: the cluster, the service and the callers share one machine. */
const pauseMs = 200;

export async function failOver(options: Failovers): Promise<FailoversSeen> {
  const { kills, switchovers, masterKey, onFailover = () => {} } = options;
  const cluster = await startPatroni();
  const { url } = cluster;
  const db = connect({ connection: { connectionString: url }, poolMax: 4 });
  const killedMs: number[] = [];
  const switchedMs: number[] = [];

  async function killOnce(): Promise<void> {
    killedMs.push(Date.now());
    await cluster.killLeader();
    // Only a leader that stays away is replaced.
    await load.untilFlowing();
    await cluster.startKilled();
  }
  async function switchOnce(): Promise<void> {
    switchedMs.push(Date.now());
    await cluster.switchOver();
    await load.untilFlowing();
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
      const isSwitchover =
        killedMs.length === kills || (done % 4 === 3 && switchedMs.length < switchovers);
      await (isSwitchover ? switchOnce() : killOnce());
      onFailover(done + 1);
    }
    await cluster.untilWhole();
    const seen = await load.finish();
    const { rows } = await db.pool.query("show server_version");
    const after = (moments: number[]) => ({
      payouts: nextAfter(moments, load.paid),
      events: nextAfter(moments, load.received),
    });
    return {
      ...seen,
      postgresql: rows[0].server_version,
      afterKillMs: after(killedMs),
      afterSwitchoverMs: after(switchedMs),
    };
  } finally {
    await load.close();
    await db.close();
    await cluster.close();
  }
}
