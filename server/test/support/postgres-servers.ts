// PostgreSQL servers of a test: a primary and its streaming standby, or one alone. They listen on 127.0.0.1.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { connect } from "../../src/platform/db/connect.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import {
  type Binaries,
  findBinaries,
  giveOwnership,
  spawnIdentity,
} from "../../src/platform/embedded/embedded-binaries.ts";
import { password, removeStalePidFile } from "../../src/platform/embedded/embedded-folder.ts";
import { becomesReady } from "../../src/platform/embedded/embedded-server.ts";
import { newCluster } from "./new-cluster.ts";

export type PostgresPair = Awaited<ReturnType<typeof startPair>>;

const user = "disburse";
export const standbyName = "second";

/** A server with an empty database. `files` are written beside its settings. */
export async function startAlone(settings = "", files: Record<string, string> = {}) {
  const made = await createServer(settings, files);
  await made.server.start();
  return {
    ...made,
    async close() {
      await made.server.stop("SIGKILL");
      rmSync(made.dataDir, { recursive: true, force: true });
    },
  };
}

async function createServer(settings: string, files: Record<string, string>) {
  const dataDir = mkdtempSync(join(tmpdir(), "disburse-servers-"));
  const binaries = findBinaries(dataDir);
  const folder = join(dataDir, "first");
  await newCluster(dataDir, folder, binaries);
  const secret = password(dataDir);
  const server = await serverIn(folder, binaries, secret, { usesTls: "server.crt" in files });
  // The machine stays up, so no data is lost.
  const all = `fsync = off\nmax_connections = 60\n${settings}\n`;
  appendFileSync(join(server.folder, "postgresql.conf"), all);
  for (const [name, text] of Object.entries(files)) {
    const path = join(server.folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    if (binaries.owner) chownSync(path, binaries.owner.uid, binaries.owner.gid);
  }
  return { dataDir, binaries, secret, server };
}

/** Both run, and the database is migrated. Commits do not wait for the standby until `waitForStandby`. */
export async function startPair() {
  const { dataDir, binaries, secret, server: primary } = await createServer("", {});
  await primary.start();
  const db = connect({ connection: { connectionString: primary.url }, poolMax: 1 });
  await migrate(db);
  await db.close();
  await primary.stop("SIGINT");

  const standby = await serverIn(join(dataDir, "second"), binaries, secret);
  cpSync(primary.folder, standby.folder, { recursive: true });
  chmodSync(standby.folder, 0o700);
  writeFileSync(join(standby.folder, "standby.signal"), "");
  const source = `host=127.0.0.1 port=${primary.port} user=${user} password=${secret}`;
  appendFileSync(
    join(standby.folder, "postgresql.conf"),
    `primary_conninfo = '${source} application_name=${standbyName}'\n`,
  );
  giveOwnership(binaries.owner, standby.folder);
  await primary.start();
  await standby.start();
  return {
    primary,
    standby,
    /** The address with both servers, in this order. */
    urlOf: (...servers: { port: number }[]) => {
      const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join(",");
      return `postgres://${user}:${secret}@${hosts}/postgres`;
    },
    /** From now on each commit waits until a standby of this name has it. "" for none. */
    waitForStandby: (name: string) =>
      primary.query(
        `alter system set synchronous_standby_names = '${name}'`,
        "select pg_reload_conf()",
      ),
    async close() {
      await Promise.all([primary.stop("SIGKILL"), standby.stop("SIGKILL")]);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function serverIn(
  folder: string,
  binaries: Binaries,
  secret: string,
  { usesTls = false } = {},
) {
  const port = await freePort();
  const connection = {
    host: "127.0.0.1",
    port,
    user,
    password: secret,
    database: "postgres",
    ssl: usesTls && { rejectUnauthorized: false },
  };
  let child: ChildProcess | undefined;
  return {
    folder,
    port,
    url: `postgres://${user}:${secret}@127.0.0.1:${port}/postgres`,
    async start() {
      const words = [
        "-D",
        folder,
        "-k",
        "",
        "-p",
        String(port),
        "-c",
        "listen_addresses=127.0.0.1",
      ];
      removeStalePidFile(folder);
      const [command = "", ...rest] = [...binaries.prefix, binaries.path("postgres"), ...words];
      const options = {
        ...spawnIdentity(binaries),
        cwd: "/",
        env: { ...process.env, LC_ALL: "C" },
      };
      const started = spawn(command, rest, { ...options, stdio: ["ignore", "ignore", "pipe"] });
      child = started;
      let said = "";
      started.stderr?.on("data", (chunk) => {
        said = `${said}${chunk}`.slice(-2_000);
      });
      const endWithTests = () => started.kill("SIGKILL");
      process.once("exit", endWithTests);
      started.once("exit", () => process.off("exit", endWithTests));
      if (await becomesReady({ process: started }, connection)) return;
      throw new Error(`PostgreSQL did not start: ${said}`);
    },
    /** SIGINT: it ends its connections and shuts down. SIGKILL: as if the machine had lost its power. */
    async stop(signal: "SIGINT" | "SIGKILL") {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      child.kill(signal);
      await once(child, "exit");
    },
    /** Runs statements one by one, and returns the rows of the last. */
    async query(...texts: string[]): Promise<pg.QueryResultRow[]> {
      const client = new pg.Client(connection);
      await client.connect();
      try {
        let rows: pg.QueryResultRow[] = [];
        for (const text of texts) ({ rows } = await client.query(text));
        return rows;
      } finally {
        await client.end();
      }
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createTcpServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
