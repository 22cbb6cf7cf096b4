// Lets PostgreSQL recover a restored data folder: it replays the WAL up to the end, or up to a time.

import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import {
  answers,
  connectionTo,
  type EmbeddedServer,
  findBinaries,
  giveOwnership,
  hasEnded,
  password,
  startEmbeddedServer,
} from "../embedded/index.ts";
import { BackupError } from "./manifest.ts";
import { createArchiveSlot } from "./wal-archiver.ts";

export const hbaFile = "pg_hba.restore.conf";
const logName = "postgres.log";

export type Recovered = {
  connection: pg.ClientConfig;
  /** The end of the replayed WAL. */
  lsn: string;
  /** When the last replayed transaction was committed. */
  lastCommitAt: string | undefined;
  stop(): Promise<void>;
};

type RecoverParts = {
  dataDir: string;
  /** The restored data folder of PostgreSQL, in `dataDir`. */
  folder: string;
  /** Undefined: up to the end of the WAL. */
  atMs: number | undefined;
  interrupted: AbortSignal;
};

/** The server goes on running for the caller. It is not the service's yet: it has another folder. */
export async function recover({
  dataDir,
  folder,
  atMs,
  interrupted,
}: RecoverParts): Promise<Recovered> {
  const binaries = findBinaries(dataDir);
  // Its password is not in the backup. Only this user can reach the socket.
  writeFileSync(join(folder, hbaFile), "local all all trust\n", { mode: 0o600 });
  giveOwnership(binaries.owner, folder);
  const connection = connectionTo(dataDir, folder);
  const settings = {
    hba_file: join(folder, hbaFile),
    // The WAL is in pg_wal already. PostgreSQL requires a command, and looks there when it fails.
    restore_command: "false",
    hot_standby: "off",
    recovery_target_action: "promote",
    ...(atMs !== undefined && { recovery_target_time: timeText(atMs) }),
  };
  const log = join(dataDir, logName);
  const logStart = sizeOf(log);
  const server = startEmbeddedServer(dataDir, folder, binaries, settings);
  const stop = async () => {
    const ended = new Promise<void>((resolve) => {
      if (hasEnded(server)) resolve();
      else server.process.once("exit", () => resolve());
    });
    server.process.stdin?.end();
    await ended;
  };
  try {
    const isUp = await untilRecovered(server, connection, interrupted);
    if (!isUp) {
      const said = readFileSync(log).subarray(logStart).toString();
      // No transaction in the WAL is as late as that time, so all of it is wanted.
      if (atMs !== undefined && said.includes("recovery ended before configured recovery target")) {
        return await recover({ dataDir, folder, atMs: undefined, interrupted });
      }
      throw new BackupError(`PostgreSQL could not recover the backup. See its log, ${log}.`);
    }
    return { connection, ...(await takeOver(connection, password(dataDir))), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Names of time zones, such as Z, are not known when PostgreSQL reads this setting. */
function timeText(ms: number): string {
  return new Date(ms).toISOString().replace("T", " ").replace("Z", "+00");
}

/** Recovery takes as long as the WAL is. */
async function untilRecovered(
  server: EmbeddedServer,
  connection: pg.ClientConfig,
  interrupted: AbortSignal,
): Promise<boolean> {
  while (!hasEnded(server)) {
    interrupted.throwIfAborted();
    if (await answers(connection)) return true;
    await sleep(50);
  }
  return false;
}

/** Also gives PostgreSQL the password of the new data folder. */
async function takeOver(
  connection: pg.ClientConfig,
  newPassword: string,
): Promise<Pick<Recovered, "lsn" | "lastCommitAt">> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rows } = await client.query(
      "select pg_last_wal_replay_lsn()::text as lsn, pg_last_xact_replay_timestamp() as at",
    );
    // So that the archive goes on without a gap when the copy is released.
    await createArchiveSlot(client);
    await client.query(`alter role current_user password ${pg.escapeLiteral(newPassword)}`);
    const [{ lsn, at }] = rows;
    return { lsn: lsn ?? "", lastCommitAt: at?.toISOString() };
  } finally {
    await client.end();
  }
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}
