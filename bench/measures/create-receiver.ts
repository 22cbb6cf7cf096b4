// Create receiver under load, every answer after its commit: against a statement for each request, and
// against pgbench inserting the same rows without HTTP, signatures or checks.

import { above, atLeast, type Demand } from "../demand.ts";
import { runLoad } from "../load.ts";
import { connectionsUnderLoad, type Measure } from "../measure.ts";
import { findPgbench, pgbenchInserting } from "../pgbench.ts";
import { requestBuilder, type SignatureVersion, sampleReceiver, uniqueEmail } from "../requests.ts";
import { interleave, type Variant } from "../rounds.ts";

const perSecondGuess = 10_000;

type Name = "batched" | "batched, signature version 2" | "one statement per request" | "pgbench";

export const measureCreateReceiver: Measure = async ({ postgres, servers, scale }) => {
  const database = await postgres.createDatabase("create_receiver");
  const { rows } = await database.db.pool.query("show synchronous_commit");
  if (rows[0].synchronous_commit !== "on") throw new Error("commits are not durable here");

  const batched = await servers.disburse(database);
  const unbatched = await servers.disburse(database, "off");

  const creating = (port: number, version: SignatureVersion) => {
    let perSecond = perSecondGuess;
    return async (durationMs: number) => {
      const build = requestBuilder(database.caller, version);
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
    { name: "batched", run: creating(batched.port, 1) },
    { name: "batched, signature version 2", run: creating(batched.port, 2) },
    { name: "one statement per request", run: creating(unbatched.port, 1) },
  ];
  if (pgbench) {
    variants.push({ name: "pgbench", run: pgbenchInserting(pgbench, database, postgres.folder) });
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
