// Create receiver under load, every answer after its commit: against a statement for each request, and
// against pgbench inserting the same rows without HTTP, signatures or checks.

import type { Database } from "../database.ts";
import { above, atLeast, type Demand } from "../demand.ts";
import { runLoad } from "../load.ts";
import { connectionsUnderLoad, type Measure } from "../measure.ts";
import { findPgbench, pgbenchInserting } from "../pgbench.ts";
import { requestBuilder, type SignatureVersion, sampleReceiver, uniqueEmail } from "../requests.ts";
import { interleave, type Variant } from "../rounds.ts";

const perSecondGuess = 10_000;

type Name = "batched" | "batched, signature version 2" | "one statement per request" | "pgbench";

export const measureCreateReceiver: Measure = async ({ postgres, servers, scale }) => {
  // A database for each, so that nobody's inserts pay for the rows and indexes that another left.
  const batchedDatabase = await postgres.createDatabase("create_batched");
  const unbatchedDatabase = await postgres.createDatabase("create_unbatched");
  const pgbenchDatabase = await postgres.createDatabase("create_pgbench");
  const { rows } = await batchedDatabase.db.pool.query("show synchronous_commit");
  if (rows[0].synchronous_commit !== "on") throw new Error("commits are not durable here");

  const batched = await servers.disburse(batchedDatabase);
  const unbatched = await servers.disburse(unbatchedDatabase, "off");

  const creating = (port: number, { caller }: Database, version: SignatureVersion) => {
    let perSecond = perSecondGuess;
    return async (durationMs: number) => {
      const build = requestBuilder(caller, version);
      const count = Math.ceil((perSecond * 1.5 * durationMs) / 1000);
      const requests = Array.from({ length: count }, () => {
        const body = JSON.stringify(sampleReceiver(uniqueEmail()));
        return build({ method: "POST", path: "/api/receiver", body });
      });
      const connections = connectionsUnderLoad;
      const round = await runLoad({ port, connections, durationMs, requests, repeat: false });
      perSecond = round.perSecond;
      return round;
    };
  };

  const pgbench = findPgbench();
  const variants: Variant<Name>[] = [
    { name: "batched", run: creating(batched.port, batchedDatabase, 1) },
    { name: "batched, signature version 2", run: creating(batched.port, batchedDatabase, 2) },
    { name: "one statement per request", run: creating(unbatched.port, unbatchedDatabase, 1) },
  ];
  if (pgbench) {
    variants.push({ name: "pgbench", run: pgbenchInserting(pgbench, pgbenchDatabase, postgres) });
  }
  const figures = await interleave(variants, scale);
  await Promise.all([batched.stop(), unbatched.stop()]);

  const rate = figures.batched.perSecond;
  const demands: Demand[] = [
    atLeast(
      "create receiver: batched / one statement per request",
      rate / figures["one statement per request"].perSecond,
      2,
    ),
  ];
  if (pgbench) {
    demands.push(above("create receiver: batched / pgbench", rate / figures.pgbench.perSecond, 1));
  }
  return {
    title: "Create receiver",
    how: `${connectionsUnderLoad} connections, signed, synchronous_commit on`,
    figures: Object.values(figures),
    demands,
    notes: pgbench ? [] : ["no pgbench here"],
  };
};
