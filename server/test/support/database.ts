// One real PostgreSQL for the whole run, and a migrated template from which each test file clones its database.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { connect } from "../../src/platform/db/connect.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { openEmbedded } from "../../src/platform/embedded/embedded.ts";
import { findBinaries } from "../../src/platform/embedded/embedded-binaries.ts";
import { initialise } from "../../src/platform/embedded/embedded-server.ts";
import { newDataFolder, removeUnusedDataFolders } from "./data-folder.ts";
import { clusterVariable, newCluster } from "./new-cluster.ts";
import { templateName } from "./template-name.ts";

type Provided = {
  postgres: { host: string; port: number; user: string; password: string };
  /** Removed after the run. */
  runFolder: string;
};

declare module "vitest" {
  interface ProvidedContext extends Provided {}
}

export default async function setup({ vitest }: TestProject) {
  const run = vitest.getRootProject();
  // Another project of this run has started it.
  if ("postgres" in run.getProvidedContext()) return;
  removeUnusedDataFolders();
  const madeDir = await makeCluster();
  const dataDir = newDataFolder();
  await newCluster(dataDir, join(dataDir, "postgres"), findBinaries(dataDir));
  const embedded = await openEmbedded({
    dataDir,
    purpose: "the tests",
    // Five workers, each with services and processes whose pools fill at the same moment.
    settings: { max_connections: "400" },
  });
  const { host, port, user, password } = embedded.connection as Provided["postgres"];

  const administrator = new pg.Client({ ...embedded.connection, database: "postgres" });
  await administrator.connect();
  // The data must survive a kill of PostgreSQL, but not of the machine. With a hundred databases, autovacuum would
  // never finish.
  for (const setting of ["fsync", "full_page_writes", "autovacuum"]) {
    await administrator.query(`alter system set ${setting} = off`);
  }
  await administrator.query("select pg_reload_conf()");
  // Thousands of connections would each compute 4,096 hashes of the password, here and in PostgreSQL.
  await administrator.query("set scram_iterations = 1");
  await administrator.query(`alter role ${user} password '${password}'`);
  await administrator.query(`create database ${templateName}`);
  await administrator.end();
  const template = connect({
    connection: { ...embedded.connection, database: templateName },
    poolMax: 2,
  });
  await migrate(template);
  await template.close();

  run.provide("postgres", { host, port, user, password });
  run.provide("runFolder", dataDir);
  return async () => {
    await embedded.stop();
    for (const folder of [dataDir, madeDir]) await rm(folder, { recursive: true, force: true });
  };
}

/** Makes the cluster that `newCluster` copies in this run. */
async function makeCluster(): Promise<string> {
  const dataDir = newDataFolder();
  await initialise(dataDir, join(dataDir, "postgres"), findBinaries(dataDir));
  process.env[clusterVariable] = dataDir;
  return dataDir;
}
