// The embedded PostgreSQL: a full, durable server on a unix socket in the data folder, which stops with our process.
//
// The owner of a running server holds an advisory lock, which PostgreSQL releases when the owner's connection ends, for
// whatever reason. So a second start, a command beside a running service and the remains of a crash are distinguished
// without a pid file of our own.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { EmbeddedDatabaseError, findBinaries, giveOwnership } from "./embedded-binaries.ts";
import {
  connectionTo,
  databaseName,
  hasDatabase,
  postmasterPid,
  removeStalePidFile,
} from "./embedded-folder.ts";
import {
  administrator,
  becomesReady,
  type EmbeddedServer,
  hasEnded,
  initialise,
  startEmbeddedServer,
} from "./embedded-server.ts";

export { EmbeddedDatabaseError } from "./embedded-binaries.ts";

const ownerLock = 4_242_001;
const startTriesMax = 20;
const leftOverGraceMs = 2_000;
const stopMs = 20_000;
const restartsMax = 3;
const restartsWindowMs = 60_000;

export type Embedded = {
  connection: pg.ClientConfig;
  /** True: another Disburse process runs the server, and we don't stop it. */
  guest: boolean;
  owner: string;
  stop(): Promise<void>;
};

type EmbeddedOptions = {
  /** More settings of PostgreSQL. */
  settings?: Record<string, string>;
  dataDir: string;
  /** Shown when a second service starts, for example "serve, process 4711". */
  purpose: string;
  progress?: (text: string) => void;
  /** The server died and could not be restarted; the process should end. */
  onLost?: (error: Error) => void;
};

/** Uses the running PostgreSQL of this data folder, or starts one and owns it until `stop`. */
export async function openEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { dataDir, purpose, settings, progress = () => {}, onLost = () => {} } = options;
  mkdirSync(dataDir, { recursive: true });
  const folder = join(dataDir, "postgres");
  const connection = connectionTo(dataDir, folder);

  for (let tries = 1; ; tries++) {
    const found = await findRunning(folder, connection);
    if (found) {
      return { connection, guest: true, owner: found, stop: async () => {} };
    }
    const binaries = findBinaries(dataDir);
    if (!hasDatabase(dataDir)) {
      progress("creating the database");
      await initialise(dataDir, folder, binaries);
    }
    giveOwnership(binaries.owner, folder);
    progress("starting the database");
    const server = startEmbeddedServer(dataDir, folder, binaries, settings);
    if (await becomesReady(server, connection)) {
      return own({
        server,
        restart: () => startEmbeddedServer(dataDir, folder, binaries, settings),
      });
    }
    server.process.stdin?.end();
    // Another process started it first, or the last process of a killed server still holds its shared memory.
    if (tries >= startTriesMax) {
      throw new EmbeddedDatabaseError(
        `PostgreSQL did not start. See its log, ${join(dataDir, "postgres.log")}.`,
      );
    }
    await sleep(250);
  }

  async function own(start: {
    server: EmbeddedServer;
    restart: () => EmbeddedServer;
  }): Promise<Embedded> {
    let { server } = start;
    let stopping = false;
    let lock = await takeOwnership(connection, purpose);
    await createDatabase(connection);
    const deaths: number[] = [];

    const watch = () => {
      server.process.once("exit", async () => {
        if (stopping) return;
        deaths.push(Date.now());
        const recent = deaths.filter((at) => at > Date.now() - restartsWindowMs);
        if (recent.length > restartsMax) {
          onLost(new EmbeddedDatabaseError("PostgreSQL keeps crashing; see postgres.log."));
          return;
        }
        server.process.stdin?.end();
        for (let tries = 0; tries < startTriesMax && !stopping; tries++) {
          await sleep(100);
          removeStalePidFile(folder);
          server = start.restart();
          if (await becomesReady(server, connection)) {
            lock = await takeOwnership(connection, purpose);
            watch();
            return;
          }
        }
        if (!stopping)
          onLost(new EmbeddedDatabaseError("PostgreSQL crashed and could not be restarted."));
      });
    };
    watch();

    return {
      connection,
      guest: false,
      owner: purpose,
      async stop() {
        stopping = true;
        await lock.end().catch(() => {});
        const gone = new Promise<void>((resolve) => {
          if (hasEnded(server)) resolve();
          else server.process.once("exit", () => resolve());
        });
        server.process.stdin?.end();
        await Promise.race([gone, sleep(stopMs, undefined, { ref: false })]);
      },
    };
  }
}

/** The purpose of the owner of a running server. Stops a server without an owner, and returns undefined. */
async function findRunning(
  folder: string,
  connection: pg.ClientConfig,
): Promise<string | undefined> {
  removeStalePidFile(folder);
  const end = Date.now() + leftOverGraceMs;
  // A server that is starting or stopping has a pid file but no owner yet: wait a moment.
  for (let hasTried = false; !hasTried || Date.now() < end; hasTried = true) {
    if (postmasterPid(folder) === undefined) return undefined;
    const owner = await findOwner(connection);
    if (owner !== undefined) return owner;
    await sleep(50);
  }
  const pid = postmasterPid(folder);
  if (pid === undefined) return undefined;
  process.kill(pid, "SIGINT");
  for (const stopBefore = Date.now() + stopMs; Date.now() < stopBefore; await sleep(50)) {
    if (postmasterPid(folder) === undefined) return undefined;
  }
  throw new EmbeddedDatabaseError(
    `A PostgreSQL from an earlier run, process ${pid}, does not stop. End it with: kill -QUIT ${pid}`,
  );
}

async function findOwner(connection: pg.ClientConfig): Promise<string | undefined> {
  const client = administrator(connection);
  try {
    await client.connect();
    const { rows } = await client.query<{ purpose: string }>(
      `select application_name as purpose from pg_locks join pg_stat_activity using (pid)
       where locktype = 'advisory' and objid = $1 and granted`,
      [ownerLock],
    );
    return rows[0]?.purpose;
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => {});
  }
}

async function takeOwnership(connection: pg.ClientConfig, purpose: string): Promise<pg.Client> {
  const client = administrator({ ...connection, application_name: purpose });
  client.on("error", () => {});
  await client.connect();
  await client.query("select pg_advisory_lock($1)", [ownerLock]);
  return client;
}

async function createDatabase(connection: pg.ClientConfig): Promise<void> {
  const client = administrator(connection);
  await client.connect();
  try {
    const { rowCount } = await client.query("select from pg_database where datname = $1", [
      databaseName,
    ]);
    if (rowCount === 0) await client.query(`create database ${databaseName}`);
  } finally {
    await client.end();
  }
}
