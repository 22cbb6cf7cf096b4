// A PostgreSQL for one test, which may kill it.

import { once } from "node:events";
import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findBinaries, giveOwnership } from "../../src/platform/embedded/embedded-binaries.ts";
import {
  connectionTo,
  postmasterPid,
  removeStalePidFile,
} from "../../src/platform/embedded/embedded-folder.ts";
import {
  becomesReady,
  hasEnded,
  startEmbeddedServer,
} from "../../src/platform/embedded/embedded-server.ts";
import { newDataFolder } from "./data-folder.ts";
import { newCluster } from "./new-cluster.ts";

/** `settings` go into its configuration file. */
export async function startPostgres(settings: Record<string, string> = {}) {
  const dataDir = newDataFolder();
  const folder = join(dataDir, "postgres");
  const binaries = findBinaries(dataDir);
  await newCluster(dataDir, folder, binaries);
  giveOwnership(binaries.owner, folder);
  // The machine stays up, so no data is lost. With fsync, a recovery starts by syncing every file.
  const lines = Object.entries({ fsync: "off", ...settings }).map(
    (pair) => `${pair.join(" = ")}\n`,
  );
  appendFileSync(join(folder, "postgresql.conf"), lines.join(""));
  const connection = { ...connectionTo(dataDir, folder), database: "postgres" };
  const begin = () => startEmbeddedServer(dataDir, folder, binaries);
  let server = begin();

  async function ready(): Promise<void> {
    // After a kill -9, its last process may keep the shared memory for a moment.
    for (let tries = 0; tries < 50; tries++) {
      if (await becomesReady(server, connection)) return;
      await sleep(50);
      removeStalePidFile(folder);
      server = begin();
    }
    throw new Error("PostgreSQL did not come back");
  }
  async function stop(signal?: NodeJS.Signals): Promise<void> {
    const ended = hasEnded(server) ? undefined : once(server.process, "exit");
    const pid = postmasterPid(folder);
    if (signal && pid) process.kill(pid, signal);
    server.process.stdin?.end();
    await ended;
  }
  const { user, password, host, port } = connection;
  return {
    connection,
    url: `postgres://${user}:${password}@localhost:${port}/postgres?host=${encodeURIComponent(host as string)}`,
    ready,
    /** SIGQUIT is an immediate shutdown, without a checkpoint. */
    async restart(signal: "SIGQUIT" | "SIGKILL") {
      await stop(signal);
      removeStalePidFile(folder);
      server = begin();
      await ready();
    },
    async close() {
      await stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
