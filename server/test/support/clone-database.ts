// Clones a database for a test file, and drops those of the files that ran before in the same worker.

import { randomUUID } from "node:crypto";
import pg from "pg";
import { expect, inject } from "vitest";
import { connect, type Db } from "../../src/platform/db/connect.ts";
import type { Metrics } from "../../src/platform/metrics/metrics.ts";

export async function cloneDatabase(
  template: string,
  metrics?: Metrics,
): Promise<{ db: Db; url: string }> {
  const postgres = inject("postgres");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const administrator = new pg.Client({ ...postgres, database: "postgres" });
  await administrator.connect();
  await dropOfEarlierFiles(administrator);
  await administrator.query(`create database ${name} template ${template}`);
  await administrator.end();
  cloned.push({ name, testPath: expect.getState().testPath });
  const { user, password, host, port } = postgres;
  const url = `postgres://${user}:${password}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`;
  const db = connect({ connection: { ...postgres, database: name }, poolMax: 10, metrics });
  return { db, url };
}

const objectInUse = "55006";

/** The databases of this worker. */
let cloned: { name: string; testPath: string | undefined }[] = [];

/** Sooner than at the end of the run, where all of them would take a minute to delete. A database in use stays. */
async function dropOfEarlierFiles(administrator: pg.Client): Promise<void> {
  const { testPath } = expect.getState();
  const earlier = cloned.filter((database) => database.testPath !== testPath);
  cloned = cloned.filter((database) => database.testPath === testPath);
  const { rows } = await administrator.query("select datname from pg_stat_activity");
  const used = new Set(rows.map(({ datname }) => datname));
  for (const { name } of earlier) {
    // PostgreSQL would wait for connections to end, such as those of a killed process.
    if (used.has(name)) continue;
    await administrator.query(`drop database ${name}`).catch((error) => {
      if (error.code !== objectInUse) throw error;
    });
  }
}
