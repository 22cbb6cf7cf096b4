// Delivery of waiting events by one process: against posting the same bytes without a database, and against the same
// deliveries as jobs of common queues.

import type { Database } from "../database.ts";
import { deliverAll } from "../delivery-round.ts";
import type { Measure } from "../measure.ts";
import { above, atLeast } from "../requirement.ts";
import { interleave } from "../rounds.ts";
import type { DelivererName, DelivererProcess } from "../server-process.ts";
import { addEndpoints, sampleBody } from "../waiting-events.ts";

const endpointsCount = 100;

type Name = "Disburse" | "bare undici" | "pg-boss" | "graphile-worker";

type Way = {
  name: Name;
  file: DelivererName;
  /** Whether an event is not recorded as delivered yet. */
  remains?: string;
};

const ways: Way[] = [
  { name: "Disburse", file: "disburse", remains: "select from delivery limit 1" },
  { name: "bare undici", file: "undici" },
  {
    name: "pg-boss",
    file: "pg-boss",
    remains: "select from pgboss.job where state < 'completed' limit 1",
  },
  {
    name: "graphile-worker",
    file: "graphile-worker",
    remains: "select from graphile_worker._private_jobs limit 1",
  },
];

export const measureDelivery: Measure = async ({ postgres, servers, scale }) => {
  const count = scale.deliveries;
  const sink = await servers.sink();
  const origin = `http://127.0.0.1:${sink.port}`;
  const workers: DelivererProcess[] = [];

  const variants = [];
  for (const way of ways) {
    const database = await postgres.createDatabase(`delivery_${way.file.replace("-", "_")}`);
    variants.push({ name: way.name, run: await delivering(way, database) });
  }

  async function delivering({ file, remains }: Way, database: Database) {
    const { db, connection, masterKey } = database;
    const { rows } = await db.pool.query("show synchronous_commit");
    if (rows[0].synchronous_commit !== "on") throw new Error("commits are not durable here");
    const endpoints = await addEndpoints(database, { origin, count: endpointsCount });
    const body = sampleBody(database.caller.subaccountId);
    const masterKeyBase64 = masterKey.toString("base64");
    const worker = servers.deliverer(file, {
      connection,
      masterKeyBase64,
      origin,
      endpoints,
      body,
    });
    workers.push(worker);

    return async () => {
      const round = await deliverAll({ worker, db, sink, count, remains });
      return { perSecond: round.perSecond, serviceUs: round.serviceUs };
    };
  }

  const figures = await interleave<Name>(variants, scale);
  await Promise.all([sink, ...workers].map((each) => each.stop()));

  const rate = figures.Disburse.perSecond;
  return {
    title: "Delivery",
    how:
      `${count} events waiting for ${endpointsCount} endpoints, from the start until the last is recorded as ` +
      "delivered, signed, synchronous_commit on; the receiver is a node:http on the same machine",
    figures: Object.values(figures),
    requirements: [
      atLeast("delivery: Disburse / bare undici", rate / figures["bare undici"].perSecond, 0.5),
      above("delivery: Disburse / pg-boss", rate / figures["pg-boss"].perSecond, 1),
      above("delivery: Disburse / graphile-worker", rate / figures["graphile-worker"].perSecond, 1),
    ],
    notes: [
      "Disburse also keeps the order of each payout's events and records every attempt; the others do neither.",
    ],
  };
};
