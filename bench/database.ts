// A PostgreSQL in a temporary folder for the benchmark. Each database has one caller.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { connect, type Db } from "../server/src/platform/db/connect.ts";
import { migrate } from "../server/src/platform/db/migrate.ts";
import { openEmbedded } from "../server/src/platform/embedded/embedded.ts";
import { embeddedMasterKey } from "../server/src/platform/embedded/embedded-folder.ts";
import { sealWith } from "../server/src/platform/encryption/seal.ts";
import { ensureInstallation } from "../server/src/tenants/installation/installation.ts";
import { createSubaccount } from "../server/src/tenants/subaccounts/create.ts";
import { parentOf } from "./processor-time.ts";

export type Caller = { key: string; secret: string; subaccountId: string };

export type Database = {
  db: Db;
  connection: pg.ClientConfig;
  masterKey: Buffer;
  caller: Caller;
};

export type Postgres = {
  version: string;
  /** Of the process whose children are the backends. */
  pid: number;
  /** A temporary folder for logs and scripts. */
  folder: string;
  createDatabase(name: string): Promise<Database>;
  /** Without the tables of Disburse. */
  createEmptyDatabase(name: string): Promise<Pick<Database, "db" | "connection">>;
  stop(): Promise<void>;
};

export async function startPostgres(): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), "disburse-bench-"));
  const embedded = await openEmbedded({ dataDir: folder, purpose: "the benchmark" });
  const opened: Db[] = [];
  const administrator = new pg.Client({ ...embedded.connection, database: "postgres" });
  await administrator.connect();
  const { rows } = await administrator.query(
    "select current_setting('server_version') as version, pg_backend_pid() as pid",
  );

  async function createEmptyDatabase(name: string) {
    await administrator.query(`create database ${name}`);
    const connection = { ...embedded.connection, database: name };
    const db = connect({ connection, poolMax: 2 });
    opened.push(db);
    return { db, connection };
  }

  return {
    version: rows[0].version,
    pid: parentOf(rows[0].pid),
    folder,
    createEmptyDatabase,
    async createDatabase(name) {
      const { db, connection } = await createEmptyDatabase(name);
      await migrate(db);
      const masterKey = embeddedMasterKey(folder);
      const seal = sealWith(masterKey);
      await ensureInstallation(db, seal);
      const caller = await createSubaccount({ db, seal }, { name: "Benchmark", mode: "test" });
      return { db, connection, masterKey, caller };
    },
    async stop() {
      await Promise.all(opened.map((db) => db.close()));
      await administrator.end();
      await embedded.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Vacuums now, so that PostgreSQL does not do it in the middle of a round. */
export async function settle({ pool }: Db): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("set statement_timeout = 0");
    await client.query("vacuum (analyze)");
    await client.query("checkpoint");
    await client.query("reset statement_timeout");
  } finally {
    client.release();
  }
}
