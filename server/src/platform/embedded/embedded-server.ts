// The server process of the embedded PostgreSQL: creates its data folder, starts and stops it.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import {
  type Binaries,
  EmbeddedDatabaseError,
  giveOwnership,
  spawnIdentity,
} from "./embedded-binaries.ts";
import { password, socketFolder } from "./embedded-folder.ts";

const startupMs = 60_000;

// ERROR is left out of the log on purpose (LOG ranks above it): its texts can quote personal data.
const serverSettings = {
  listen_addresses: "",
  unix_socket_permissions: "0700",
  shared_buffers: "256MB",
  max_connections: "120",
  max_wal_size: "2GB",
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_checkpoints: "off",
  log_error_verbosity: "terse",
};

export type EmbeddedServer = { process: ChildProcess };

/**
 * A shell between us and PostgreSQL reads from a pipe. When the pipe closes, because we closed it or were killed, the
 * shell interrupts PostgreSQL, which shuts down cleanly. It has its own session, so that Ctrl-C at the terminal does not
 * reach PostgreSQL before we have finished.
 */
const lifeline = `
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
( read -r _ <&3; kill -INT $server ) 2>/dev/null &
watcher=$!
exec 3<&-
wait $server
code=$?
kill $watcher 2>/dev/null
exit $code
`;

export function startEmbeddedServer(
  dataDir: string,
  folder: string,
  binaries: Binaries,
  more: Record<string, string> = {},
): EmbeddedServer {
  const log = openSync(join(dataDir, "postgres.log"), "a", 0o600);
  const settings = Object.entries({ ...serverSettings, ...more }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  const socket = socketFolder(dataDir, folder);
  if (socket !== folder) {
    mkdirSync(socket, { recursive: true, mode: 0o700 });
    giveOwnership(binaries.owner, socket);
  }
  const command = [...binaries.prefix, binaries.path("postgres"), "-D", folder, "-k", socket];
  const child = spawn("sh", ["-c", lifeline, "sh", ...command, ...settings], {
    ...spawnIdentity(binaries),
    cwd: "/",
    detached: true,
    env: { ...process.env, LC_ALL: "C", PGDATA: folder },
    stdio: ["pipe", log, log],
  });
  child.stdin?.on("error", () => {});
  return { process: child };
}

export async function becomesReady(
  server: EmbeddedServer,
  connection: pg.ClientConfig,
): Promise<boolean> {
  const end = Date.now() + startupMs;
  while (Date.now() < end) {
    if (hasEnded(server)) return false;
    if (await answers(connection)) return true;
    await sleep(20);
  }
  return false;
}

export async function answers(connection: pg.ClientConfig): Promise<boolean> {
  const client = administrator(connection);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

export function hasEnded({ process }: EmbeddedServer): boolean {
  return process.exitCode !== null || process.signalCode !== null;
}

export function administrator(connection: pg.ClientConfig): pg.Client {
  return new pg.Client({ ...connection, database: "postgres", connectionTimeoutMillis: 5_000 });
}

/** Creates the cluster in a temporary folder and renames it, so that an interrupted first start leaves nothing behind. */
export async function initialise(
  dataDir: string,
  folder: string,
  binaries: Binaries,
): Promise<void> {
  const draft = join(dataDir, "postgres.new");
  const passwordCopy = join(dataDir, "postgres.password.new");
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  giveOwnership(binaries.owner, draft);
  writeFileSync(passwordCopy, password(dataDir), { mode: 0o600 });
  if (binaries.owner) chownSync(passwordCopy, binaries.owner.uid, binaries.owner.gid);
  const words = [
    ...binaries.prefix,
    binaries.path("initdb"),
    `--pgdata=${draft}`,
    `--pwfile=${passwordCopy}`,
    "--username=disburse",
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--no-instructions",
  ];
  try {
    execFileSync("env", words, {
      ...spawnIdentity(binaries),
      cwd: "/",
      env: { ...process.env, LC_ALL: "C" },
      stdio: ["ignore", "ignore", "pipe"],
    });
  } catch (error) {
    const said = String((error as { stderr?: Buffer }).stderr ?? error).trim();
    throw new EmbeddedDatabaseError(`PostgreSQL could not create its data folder:\n${said}`);
  } finally {
    rmSync(passwordCopy, { force: true });
  }
  renameSync(draft, folder);
}
