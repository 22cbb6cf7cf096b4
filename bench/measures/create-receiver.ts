// Create receiver under load, each response after its commit: against one statement per request, and against pgbench,
// which inserts the same rows without HTTP, signatures or checks.

import { creating } from "../creating.ts";
import { connectionsUnderLoad, type Measure } from "../measure.ts";
import { findPgbench, pgbenchInserting } from "../pgbench.ts";
import { above, atLeast, type Requirement } from "../requirement.ts";
import { interleave, type Variant } from "../rounds.ts";

type Name =
  | "batched"
  | "batched, signature version 2"
  | "batched, with idempotency keys"
  | "one statement per request"
  | "pgbench";

export const measureCreateReceiver: Measure = async ({ postgres, servers, scale }) => {
  // A database for each variant, so that none pays for the rows and indexes of another.
  const batchedDatabase = await postgres.createDatabase("create_batched");
  const unbatchedDatabase = await postgres.createDatabase("create_unbatched");
  const pgbenchDatabase = await postgres.createDatabase("create_pgbench");
  const { rows } = await batchedDatabase.db.pool.query("show synchronous_commit");
  if (rows[0].synchronous_commit !== "on") throw new Error("commits are not durable here");

  const batched = await servers.disburse(batchedDatabase);
  const unbatched = await servers.disburse(unbatchedDatabase, "off");

  const toBatched = { port: batched.port, database: batchedDatabase };
  const toUnbatched = { port: unbatched.port, database: unbatchedDatabase };

  const pgbench = findPgbench();
  const variants: Variant<Name>[] = [
    { name: "batched", run: creating(toBatched) },
    { name: "batched, signature version 2", run: creating({ ...toBatched, version: 2 }) },
    { name: "batched, with idempotency keys", run: creating({ ...toBatched, keyed: true }) },
    { name: "one statement per request", run: creating(toUnbatched) },
  ];
  if (pgbench) {
    variants.push({ name: "pgbench", run: pgbenchInserting(pgbench, pgbenchDatabase, postgres) });
  }
  const figures = await interleave(variants, scale);
  await Promise.all([batched.stop(), unbatched.stop()]);

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
