// The embedded PostgreSQL: real, durable, on a unix socket inside the data folder, its life tied to ours.
//
// Who owns a running one is asked of the database itself: its owner holds an advisory lock, which goes
// with the owner's connection however the owner dies. So a second start, a command beside a running
// service and a left-over of a crash are told apart without trusting any pid file of our own.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import {
  type Binaries,
  EmbeddedDatabaseError,
  findBinaries,
  giveTo,
  spawnIdentity,
} from "./embedded-binaries.ts";

export { EmbeddedDatabaseError } from "./embedded-binaries.ts";

const databaseName = "disburse";
const ownerLock = 4_242_001;
const socketPathBytesMax = 100;
const startTriesMax = 20;
const startupMs = 60_000;
const leftOverGraceMs = 2_000;
const stopMs = 20_000;
const restartsMax = 3;
const restartsWindowMs = 60_000;

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

export type Embedded = {
  connection: pg.ClientConfig;
  /** True when another process of ours runs it: we are a guest and don't stop it. */
  guest: boolean;
  owner: string;
  stop(): Promise<void>;
};

export type EmbeddedOptions = {
  dataDir: string;
  /** Shown to a second start, for example "serve, process 4711". */
  purpose: string;
  progress?: (text: string) => void;
  /** The server died, was restarted in vain, and the process should end. */
  onLost?: (error: Error) => void;
};

/** Uses the running PostgreSQL of this data folder, or starts one and owns it until `stop`. */
export async function openEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { dataDir, purpose, progress = () => {}, onLost = () => {} } = options;
  mkdirSync(dataDir, { recursive: true });
  const folder = join(dataDir, "postgres");
  const connection = connectionTo(dataDir, folder);

  for (let tries = 1; ; tries++) {
    const found = await findRunning(folder, connection);
    if (found) {
      return { connection, guest: true, owner: found, stop: async () => {} };
    }
    const binaries = findBinaries(dataDir);
    if (!existsSync(join(folder, "PG_VERSION"))) {
      progress("creating the database");
      await initialise(dataDir, folder, binaries);
    }
    giveTo(binaries.owner, folder);
    progress("starting the database");
    const server = startServer(dataDir, folder, binaries);
    if (await becomesReady(server, connection)) {
      return own({ server, restart: () => startServer(dataDir, folder, binaries) });
    }
    server.process.stdin?.end();
    // Another start was faster, or a killed server's last process still holds its memory.
    if (tries >= startTriesMax) {
      throw new EmbeddedDatabaseError(
        `PostgreSQL did not start. Its log, ${join(dataDir, "postgres.log")}, says why.`,
      );
    }
    await sleep(250);
  }

  async function own(start: { server: Server; restart: () => Server }): Promise<Embedded> {
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
          onLost(new EmbeddedDatabaseError("PostgreSQL keeps dying; see postgres.log."));
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
        if (!stopping) onLost(new EmbeddedDatabaseError("PostgreSQL died and did not come back."));
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
          if (server.process.exitCode !== null || server.process.signalCode !== null) resolve();
          else server.process.once("exit", () => resolve());
        });
        server.process.stdin?.end();
        await Promise.race([gone, sleep(stopMs, undefined, { ref: false })]);
      },
    };
  }
}

type Server = { process: ChildProcess };

/**
 * The shell stands between us and PostgreSQL and holds a pipe from us. When the pipe closes, because we
 * let go of it or were killed, it interrupts PostgreSQL, which then shuts down cleanly. A session of its
 * own keeps the terminal's Ctrl-C away from PostgreSQL until we have finished with it.
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

function startServer(dataDir: string, folder: string, binaries: Binaries): Server {
  const log = openSync(join(dataDir, "postgres.log"), "a", 0o600);
  const settings = Object.entries(serverSettings).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  const socket = socketFolder(dataDir, folder);
  if (socket !== folder) {
    mkdirSync(socket, { recursive: true, mode: 0o700 });
    giveTo(binaries.owner, socket);
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

async function becomesReady(server: Server, connection: pg.ClientConfig): Promise<boolean> {
  const end = Date.now() + startupMs;
  while (Date.now() < end) {
    if (server.process.exitCode !== null || server.process.signalCode !== null) return false;
    if (await answers(connection)) return true;
    await sleep(20);
  }
  return false;
}

async function answers(connection: pg.ClientConfig): Promise<boolean> {
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

/** The purpose of the owner of a running server; undefined when there is none, or was a left-over. */
async function findRunning(
  folder: string,
  connection: pg.ClientConfig,
): Promise<string | undefined> {
  removeStalePidFile(folder);
  const end = Date.now() + leftOverGraceMs;
  // One that starts up or shuts down right now has a pid file and no owner: give it a moment.
  for (let asked = false; !asked || Date.now() < end; asked = true) {
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
    `A left-over PostgreSQL, process ${pid}, does not stop. End it with: kill -QUIT ${pid}`,
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

function administrator(connection: pg.ClientConfig): pg.Client {
  return new pg.Client({ ...connection, database: "postgres", connectionTimeoutMillis: 5_000 });
}

/** Builds the cluster aside and renames it, so that an interrupted first start leaves nothing half made. */
async function initialise(dataDir: string, folder: string, binaries: Binaries): Promise<void> {
  const draft = join(dataDir, "postgres.new");
  const passwordCopy = join(dataDir, "postgres.password.new");
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  giveTo(binaries.owner, draft);
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
    throw new EmbeddedDatabaseError(`PostgreSQL could not make its data folder:\n${said}`);
  } finally {
    rmSync(passwordCopy, { force: true });
  }
  renameSync(draft, folder);
}

function connectionTo(dataDir: string, folder: string): pg.ClientConfig {
  return {
    host: socketFolder(dataDir, folder),
    port: 5432,
    user: "disburse",
    password: password(dataDir),
    database: databaseName,
  };
}

/** A socket's path may have about 107 bytes; a data folder deep down gets its socket elsewhere. */
function socketFolder(dataDir: string, folder: string): string {
  if (Buffer.byteLength(join(folder, ".s.PGSQL.5432")) <= socketPathBytesMax) return folder;
  const name = createHash("sha256").update(dataDir).digest("hex").slice(0, 16);
  return join(tmpdir(), `disburse-${name}`);
}

function password(dataDir: string): string {
  return readOrMake(join(dataDir, "postgres.password"), () => randomBytes(24).toString("hex"));
}

/** The master key of the embedded default, made beside the data on the first start. */
export function embeddedMasterKey(dataDir: string): Buffer {
  mkdirSync(dataDir, { recursive: true });
  const path = join(dataDir, "master.key");
  return Buffer.from(
    readOrMake(path, () => randomBytes(32).toString("base64")),
    "base64",
  );
}

function readOrMake(path: string, make: () => string): string {
  try {
    writeFileSync(path, make(), { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return readFileSync(path, "utf8").trim();
}

function postmasterPid(folder: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(join(folder, "postmaster.pid"), "utf8"), 10);
    return pid > 0 && isAlive(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** PostgreSQL takes any process of that number for itself; after a reboot or a kill it may be anyone. */
function removeStalePidFile(folder: string): void {
  const pid = postmasterPid(folder);
  if (pid === undefined) return;
  let process = "";
  try {
    process = execFileSync("ps", ["-o", "stat=,args=", "-p", String(pid)], { encoding: "utf8" });
  } catch {
    // No such process any more, or a machine without ps: leave the file to PostgreSQL's own judgement.
    return;
  }
  // Z: dead, but its parent never asked how it ended.
  if (process.startsWith("Z") || !process.includes("postgres")) {
    rmSync(join(folder, "postmaster.pid"), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
