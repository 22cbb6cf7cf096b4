// The measures of a comparison: operations per second and processor time per operation, for one side at a time.

import { setTimeout as sleep } from "node:timers/promises";
import type { Side } from "./compare-sides.ts";
import type { Database } from "./database.ts";
import { runLoad } from "./load.ts";
import { connectionsUnderLoad } from "./measure.ts";
import { processorTimeUs } from "./processor-time.ts";
import type { Server } from "./server-process.ts";

const receiversCount = 10_000;
const requestsRepeated = 4_096;
const endpointsCount = 100;

export const comparedNames = ["receiver-by-id", "create-receiver", "payout", "delivery"] as const;
export type ComparedName = (typeof comparedNames)[number];

/** The length of one round. */
export type Extent = { warmUpMs: number; roundMs: number; deliveries: number };

/** One round; times are microseconds of processor time per operation. */
export type ComparedRound = {
  perSecond: number;
  serviceUs: number | undefined;
  databaseUs: number | undefined;
};

/** Creates the side's data, then runs one round in new processes. */
type Measure = (side: Side, extent: Extent) => Promise<() => Promise<ComparedRound>>;

export const compared: Record<ComparedName, Measure> = {
  "receiver-by-id": async (side, extent) => {
    const { receivers, requests } = side.modules;
    const database = await side.postgres.createDatabase("compare_read");
    await receivers.addReceivers(database, receiversCount);
    const ids = await receivers.sampleIds(database, requestsRepeated);
    return () =>
      withServer(side, extent, database, (port) => (durationMs) => {
        const build = requests.requestBuilder(database.caller, 1);
        const reads = ids.map((id) => build({ method: "GET", path: `/api/receiver/${id}` }));
        const connections = connectionsUnderLoad;
        return runLoad({ port, connections, durationMs, requests: reads, repeat: true });
      });
  },

  "create-receiver": async (side, extent) => {
    const database = await side.postgres.createDatabase("compare_create");
    return () =>
      withServer(side, extent, database, (port) =>
        side.modules.creating.creating({ port, database }),
      );
  },

  payout: async (side, extent) => {
    const database = await side.postgres.createDatabase("compare_payout");
    const payer = await side.modules.payees.addPayee(database, database.caller);
    return () =>
      withServer(side, extent, database, (port) =>
        side.modules.paying.paying({ port, payers: [payer] }),
      );
  },

  delivery: async (side, { deliveries: count }) => {
    const { waiting, database: databases } = side.modules;
    const database = await side.postgres.createDatabase("compare_delivery");
    const sink = await side.servers.sink();
    const origin = `http://127.0.0.1:${sink.port}`;
    const endpoints = await waiting.addEndpoints(database, { origin, count: endpointsCount });
    const body = waiting.sampleBody(database.caller.subaccountId);
    const { connection, masterKey } = database;
    const setup = { connection, masterKeyBase64: masterKey.toString("base64"), origin };
    return async () => {
      const worker = side.servers.deliverer("disburse", { ...setup, endpoints, body });
      await worker.tell({ command: "load", count });
      await databases.settle(database.db);
      const allReceived = sink.expect(count);
      const databaseBefore = side.databaseUs();
      const startMs = performance.now();
      await worker.tell({ command: "start" });
      await allReceived;
      while ((await database.db.pool.query("select from delivery limit 1")).rowCount !== 0) {
        await sleep(2);
      }
      const perSecond = (count * 1000) / (performance.now() - startMs);
      const { cpuUs } = await worker.tell({ command: "stop" });
      const databaseUs = perOperation(databaseBefore, side.databaseUs(), count);
      await worker.stop();
      return { perSecond, serviceUs: cpuUs / count, databaseUs };
    };
  },
};

type Load = (
  port: number,
) => (durationMs: number) => Promise<{ perSecond: number; answers: number }>;

async function withServer(
  side: Side,
  { warmUpMs, roundMs }: Extent,
  database: Database,
  loadAt: Load,
): Promise<ComparedRound> {
  await side.modules.database.settle(database.db);
  const server = (await side.servers.disburse(database)) as Server & { child: { pid: number } };
  try {
    const load = loadAt(server.port);
    await load(warmUpMs);
    const serviceUs = () => processorTimeUs(server.child.pid);
    const [serviceBefore, databaseBefore] = [serviceUs(), side.databaseUs()];
    const { perSecond, answers } = await load(roundMs);
    return {
      perSecond,
      serviceUs: perOperation(serviceBefore, serviceUs(), answers),
      databaseUs: perOperation(databaseBefore, side.databaseUs(), answers),
    };
  } finally {
    await server.stop();
  }
}

function perOperation(before: number | undefined, after: number | undefined, count: number) {
  return before === undefined || after === undefined ? undefined : (after - before) / count;
}
