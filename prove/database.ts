// A PostgreSQL for the campaigns in a temporary folder, with any number of databases.

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { connect, type Db } from "../server/src/platform/db/connect.ts";
import { migrate } from "../server/src/platform/db/migrate.ts";
import { openEmbedded } from "../server/src/platform/embedded/embedded.ts";
import { masterKeyBytes, type Seal, sealWith } from "../server/src/platform/encryption/seal.ts";

/** A database, and the settings that another process needs to use it. */
type Parts = { db: Db; seal: Seal; url: string; masterKey: Buffer };

export type Postgres = {
  version: string;
  /** A fresh database for the time of the work. */
  withDatabase<Result>(work: (parts: Parts) => Promise<Result>): Promise<Result>;
  stop(): Promise<void>;
};

export async function startPostgres(): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), "disburse-prove-"));
  const { connection, stop } = await openEmbedded({ dataDir: folder, purpose: "the proofs" });
  const open = (database: string) =>
    connect({ connection: { ...connection, database }, poolMax: 4 });
  const masterKey = randomBytes(masterKeyBytes);
  const seal = sealWith(masterKey);
  const { user, password, host = "", port } = connection;
  const urlOf = (database: string) =>
    `postgres://${user}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
  const administrator = new pg.Client({ ...connection, database: "postgres" });
  await administrator.connect();
  const { rows } = await administrator.query("show server_version");
  await administrator.query("create database template_of_proofs");
  const template = open("template_of_proofs");
  await migrate(template);
  await template.close();
  let databases = 0;

  return {
    version: rows[0].server_version,
    async withDatabase(work) {
      databases += 1;
      const name = `proof_${databases}`;
      await administrator.query(`create database ${name} template template_of_proofs`);
      // A power failure is not tested, and commits take most of the time.
      await administrator.query(`alter database ${name} set synchronous_commit = off`);
      const db = open(name);
      try {
        return await work({ db, seal, url: urlOf(name), masterKey });
      } finally {
        await db.close();
        await administrator.query(`drop database ${name} with (force)`);
      }
    },
    async stop() {
      await administrator.end();
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
