// One real PostgreSQL for the whole run, and a migrated template from which each test file clones its database.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { connect } from "../../src/db/connect.ts";
import { openEmbedded } from "../../src/db/embedded.ts";
import { migrate } from "../../src/db/migrate.ts";

export const templateName = "disburse_template";

type Provided = { postgres: { host: string; port: number; user: string; password: string } };

declare module "vitest" {
  interface ProvidedContext extends Provided {}
}

export default async function setup(project: TestProject) {
  const dataDir = mkdtempSync(join(tmpdir(), "disburse-test-"));
  const embedded = await openEmbedded({ dataDir, purpose: "the tests" });
  const { host, port, user, password } = embedded.connection as Provided["postgres"];

  const administrator = new pg.Client({ ...embedded.connection, database: "postgres" });
  await administrator.connect();
  // The data must survive a kill of PostgreSQL, but not of the machine. With a hundred databases, autovacuum would
  // never finish.
  for (const setting of ["fsync", "full_page_writes", "autovacuum"]) {
    await administrator.query(`alter system set ${setting} = off`);
  }
  await administrator.query("select pg_reload_conf()");
  await administrator.query(`create database ${templateName}`);
  await administrator.end();
  const template = connect({
    connection: { ...embedded.connection, database: templateName },
    poolMax: 2,
  });
  await migrate(template);
  await template.close();

  project.provide("postgres", { host, port, user, password });
  return async () => {
    await embedded.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
