// The sides of a comparison: a checkout of another commit, this tree, and this tree again, each with its own bench
// modules, database and processes.

import { join } from "node:path";
import type { Postgres } from "./database.ts";
import { parentOf, processorTimeUs } from "./processor-time.ts";
import { say } from "./progress.ts";
import type { Servers } from "./server-process.ts";

export type Side = {
  name: "before" | "now" | "again";
  postgres: Postgres;
  servers: Servers;
  modules: Modules;
  /** Microseconds that its database has used. Undefined when not on Linux. */
  databaseUs(): number | undefined;
};

type Modules = Awaited<ReturnType<typeof importModules>>;

async function importModules(folder: string) {
  const load = <Module>(file: string): Promise<Module> => import(join(folder, "bench", file));
  return {
    database: await load<typeof import("./database.ts")>("database.ts"),
    servers: await load<typeof import("./server-process.ts")>("server-process.ts"),
    receivers: await load<typeof import("./receivers.ts")>("receivers.ts"),
    requests: await load<typeof import("./requests.ts")>("requests.ts"),
    creating: await load<typeof import("./creating.ts")>("creating.ts"),
    payees: await load<typeof import("./payees.ts")>("payees.ts"),
    paying: await load<typeof import("./paying.ts")>("paying.ts"),
    waiting: await load<typeof import("./waiting-events.ts")>("waiting-events.ts"),
  };
}

export async function openSide(name: Side["name"], folder: string): Promise<Side> {
  say(`starting the database of the side ${name}`);
  const modules = await importModules(folder);
  const postgres = await modules.database.startPostgres();
  const { db } = await postgres.createDatabase("compare_start");
  const { rows } = await db.pool.query<{ pid: number }>("select pg_backend_pid() as pid");
  const postmaster = parentOf(rows[0]?.pid as number);
  return {
    name,
    postgres,
    modules,
    servers: modules.servers.serversLoggingIn(postgres.folder),
    databaseUs: () => processorTimeUs(postmaster, { withChildren: true }),
  };
}
