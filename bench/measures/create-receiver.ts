// Create receiver under load, each response after its commit: against one statement per request, and against pgbench,
// which inserts the same rows without HTTP, signatures or checks.

import { creating } from "../creating.ts";
import type { Database } from "../database.ts";
import { connectionsUnderLoad, type Measure } from "../measure.ts";
import { findPgbench, pgbenchInserting, threads } from "../pgbench.ts";
import type { SignatureVersion } from "../requests.ts";
import { above, atLeast, type Requirement } from "../requirement.ts";
import { interleave, type Variant } from "../rounds.ts";
import type { Server } from "../server-process.ts";
import { timed } from "../service-times.ts";

type Name =
  | "batched"
  | "batched, signature version 2"
  | "batched, with idempotency keys"
  | "batched, 2 processes"
  | "one statement per request"
  | "pgbench";

export const measureCreateReceiver: Measure = async ({ postgres, servers, scale }) => {
  // A database for each variant, so that none pays for the rows and indexes of another.
  const batchedDatabase = await postgres.createDatabase("create_batched");
  const severalDatabase = await postgres.createDatabase("create_several");
  const unbatchedDatabase = await postgres.createDatabase("create_unbatched");
  const pgbenchDatabase = await postgres.createDatabase("create_pgbench");
  const { rows } = await batchedDatabase.db.pool.query("show synchronous_commit");
  if (rows[0].synchronous_commit !== "on") throw new Error("commits are not durable here");

  const batched = await servers.disburse(batchedDatabase);
  // As many as pgbench has threads. It is the command as shipped, so it also writes the request log.
  const several = await servers.serve(severalDatabase, threads);
  const unbatched = await servers.disburse(unbatchedDatabase, "off");

  const load = (
    { port, pid: service }: Server,
    database: Database,
    how: { version?: SignatureVersion; keyed?: boolean } = {},
  ) => timed({ service, postgres: postgres.pid }, creating({ port, database, ...how }));

  const pgbench = findPgbench();
  const variants: Variant<Name>[] = [
    { name: "batched", run: load(batched, batchedDatabase) },
    { name: "batched, signature version 2", run: load(batched, batchedDatabase, { version: 2 }) },
    {
      name: "batched, with idempotency keys",
      run: load(batched, batchedDatabase, { keyed: true }),
    },
    { name: "batched, 2 processes", processes: threads, run: load(several, severalDatabase) },
    { name: "one statement per request", run: load(unbatched, unbatchedDatabase) },
  ];
  if (pgbench) {
    const run = pgbenchInserting(pgbench, pgbenchDatabase, postgres);
    variants.push({ name: "pgbench", run: timed({ postgres: postgres.pid }, run) });
  }
  const figures = await interleave(variants, scale);
  await Promise.all([batched.stop(), several.stop(), unbatched.stop()]);

  const rate = figures.batched.perSecond;
  const requirements: Requirement[] = [
    atLeast(
      "create receiver: batched / one statement per request",
      rate / figures["one statement per request"].perSecond,
      2,
    ),
    atLeast(
      "create receiver: with idempotency keys / without",
      figures["batched, with idempotency keys"].perSecond / rate,
      0.7,
    ),
  ];
  if (pgbench) {
    requirements.push(
      above("create receiver: batched / pgbench", rate / figures.pgbench.perSecond, 1),
      above(
        "create receiver: batched, 2 processes / pgbench",
        figures["batched, 2 processes"].perSecond / figures.pgbench.perSecond,
        1,
      ),
    );
  }
  return {
    title: "Create receiver",
    how: `${connectionsUnderLoad} connections, signed, synchronous_commit on`,
    figures: Object.values(figures),
    requirements,
    notes: pgbench ? [] : ["no pgbench here"],
  };
};
