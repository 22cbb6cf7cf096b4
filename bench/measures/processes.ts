// The service with several processes on one port, against one process: `disburse serve` as shipped, without background
// work. Rate, and processor time of the service per request, the supervisor included.

import { availableParallelism } from "node:os";
import { creating } from "../creating.ts";
import type { Database } from "../database.ts";
import { type Round, runLoad } from "../load.ts";
import { connectionsUnderLoad, type Measure } from "../measure.ts";
import { addPayee, addPayers } from "../payees.ts";
import { paying } from "../paying.ts";
import { addReceivers, sampleIds } from "../receivers.ts";
import { requestBuilder } from "../requests.ts";
import { atLeast, atMost, type Requirement } from "../requirement.ts";
import { type Figure, interleave } from "../rounds.ts";
import { timed } from "../service-times.ts";

const operations = [
  "receiver by id",
  "create receiver",
  "payout, one subaccount",
  "payout, many subaccounts",
] as const;
type Operation = (typeof operations)[number];
type Run = (durationMs: number) => Promise<Round>;

const readsRepeated = 4_096;
/** With more, the connections of both services would not fit into the database. */
const processesMax = 8;

export const measureProcesses: Measure = async ({ postgres, servers, scale }) => {
  const figures: Figure[] = [];
  const requirements: Requirement[] = [];

  async function prepare(name: string, processes: number) {
    const database = await postgres.createDatabase(name);
    await addReceivers(database, scale.receiversFew);
    const ids = await sampleIds(database, readsRepeated);
    const hot = await addPayee(database, database.caller);
    const many = await addPayers(database, scale.subaccountsMany);
    const server = await servers.serve(database, processes);
    const { port } = server;
    const runs: Record<Operation, Run> = {
      "receiver by id": reading(port, database, ids),
      "create receiver": creating({ port, database }),
      "payout, one subaccount": paying({ port, payers: [hot] }),
      "payout, many subaccounts": paying({ port, payers: many }),
    };
    return { server, runs };
  }

  type Prepared = Awaited<ReturnType<typeof prepare>>;
  const load = ({ server, runs }: Prepared, operation: Operation) =>
    timed({ service: server.pid, postgres: postgres.pid }, runs[operation]);

  for (const processes of processCounts()) {
    const alone = await prepare(`processes_1_of_${processes}`, 1);
    const several = await prepare(`processes_${processes}`, processes);
    for (const operation of operations) {
      const one = `${operation}, 1 process`;
      const more = `${operation}, ${processes} processes`;
      const of: Record<string, Figure> = await interleave(
        [
          { name: one, run: load(alone, operation) },
          { name: more, processes, run: load(several, operation) },
        ],
        scale,
      );
      const [figure, other] = [of[one] as Figure, of[more] as Figure];
      figures.push(figure, other);
      const [oneUs, moreUs] = [figure.serviceUs, other.serviceUs];
      if (processes !== 2) continue;
      const text = `${operation}: 2 processes / 1`;
      requirements.push(atLeast(`${text}, rate`, other.perSecond / figure.perSecond, 0.95));
      if (oneUs !== undefined && moreUs !== undefined) {
        requirements.push(atMost(`${text}, processor time per request`, moreUs / oneUs, 1.1));
      }
    }
    await Promise.all([alone.server.stop(), several.server.stop()]);
  }

  return {
    title: "Several processes",
    how:
      `${connectionsUnderLoad} connections, signed, synchronous_commit on, with the request log, --role api; ` +
      `${scale.subaccountsMany} subaccounts are many; the service with its processes and its supervisor`,
    figures,
    requirements,
    notes: [],
  };
};

/** Two, and where there are more cores, a curve. */
function processCounts(): number[] {
  const most = Math.min(processesMax, Math.max(2, availableParallelism()));
  return [2, 4, 8].filter((count) => count <= most);
}

function reading(port: number, { caller }: Database, ids: readonly string[]): Run {
  return (durationMs) => {
    const build = requestBuilder(caller, 1);
    const requests = ids.map((id) => build({ method: "GET", path: `/api/receiver/${id}` }));
    const connections = connectionsUnderLoad;
    return runLoad({ port, connections, durationMs, requests, repeat: true });
  };
}
