// Growth: a read must cost the same among two million receivers as among ten thousand.

import { writeCursor } from "../../server/src/platform/base/cursor.ts";
import type { Database } from "../database.ts";
import { runLoad } from "../load.ts";
import type { Measure } from "../measure.ts";
import { addReceivers, sampleIds } from "../receivers.ts";
import { requestBuilder } from "../requests.ts";
import { atMost } from "../requirement.ts";
import { type Figure, interleave } from "../rounds.ts";

const requestsRepeated = 5_000;

/** The path of each read, made from a random id. */
const reads: Record<string, (id: string) => string> = {
  "receiver by id": (id) => `/api/receiver/${id}`,
  "first page": () => "/api/receiver?limit=20",
  "first page, status=2": () => "/api/receiver?limit=20&status=2",
  "first page, kyc_status=0": () => "/api/receiver?limit=20&kyc_status=0",
  "first page, status=2, kyc_status=0": () => "/api/receiver?limit=20&status=2&kyc_status=0",
  "first page of a rare state, status=4": () => "/api/receiver?limit=20&status=4",
  "any page": (id) => `/api/receiver?limit=20&cursor=${writeCursor(id)}`,
  "any page, status=2": (id) => `/api/receiver?limit=20&status=2&cursor=${writeCursor(id)}`,
};

export const measureGrowth: Measure = async ({ postgres, servers, scale }) => {
  const { receiversFew, receiversMany } = scale;
  // Two databases: in one table the small subaccount would use the deep indexes of the large one.
  const few = await postgres.createDatabase("few_receivers");
  await addReceivers(few, receiversFew);
  const many = await postgres.createDatabase("many_receivers");
  await addReceivers(many, receiversMany);

  const sides = [
    { count: receiversFew, ...(await serve(few)) },
    { count: receiversMany, ...(await serve(many)) },
  ];

  async function serve(database: Database) {
    const ids = await sampleIds(database, requestsRepeated);
    return { database, ids, server: await servers.disburse(database) };
  }

  const { aloneRounds: rounds, aloneRoundMs: roundMs, warmUpMs } = scale;
  const figures: Figure[] = [];
  const requirements = [];
  for (const [read, pathOf] of Object.entries(reads)) {
    const measured = await interleave(
      sides.map(({ count, server: { port }, ids, database }) => ({
        name: `${read}, among ${count}`,
        run: (durationMs: number) => {
          const build = requestBuilder(database.caller, 1);
          const requests = ids.map((id) => build({ method: "GET", path: pathOf(id) }));
          return runLoad({ port, connections: 1, durationMs, requests, repeat: true });
        },
      })),
      { rounds, roundMs, warmUpMs },
    );
    const [small, large] = Object.values(measured) as [Figure, Figure];
    figures.push(small, large);
    requirements.push(atMost(`${read}: p50 grown`, (large.p50Ms ?? 0) / (small.p50Ms ?? 0), 1.25));
  }
  await Promise.all(sides.map(({ server }) => server.stop()));

  return {
    title: "Growth",
    how: `1 connection, ${receiversMany} receivers of a subaccount against ${receiversFew}, pages of 20`,
    figures,
    requirements,
    notes: [],
  };
};
