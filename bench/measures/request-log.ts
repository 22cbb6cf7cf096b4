// The cost of the request log: the service with it and without it, in pairs of short rounds one right after the other,
// so that other load on the machine affects both of a pair. One process listens on two ports with one database, because
// two processes of the same code differ by more than the log costs.

import { creating } from "../creating.ts";
import { runLoad } from "../load.ts";
import { connectionsUnderLoad, type Measure } from "../measure.ts";
import { addReceivers, sampleIds } from "../receivers.ts";
import { requestBuilder } from "../requests.ts";
import { atLeast } from "../requirement.ts";
import { figuresOf, median, takeTurns } from "../rounds.ts";

const readsRepeated = 4_096;
const roundMs = 1_500;

export const measureRequestLog: Measure = async ({ postgres, servers, scale }) => {
  const readDatabase = await postgres.createDatabase("log_read");
  await addReceivers(readDatabase, scale.receiversFew);
  const ids = await sampleIds(readDatabase, readsRepeated);
  const createDatabase = await postgres.createDatabase("log_create");
  const reader = await servers.disburseLogging(readDatabase);
  const creator = await servers.disburseLogging(createDatabase);

  const reading = (port: number) => (durationMs: number) => {
    const build = requestBuilder(readDatabase.caller, 1);
    const requests = ids.map((id) => build({ method: "GET", path: `/api/receiver/${id}` }));
    const connections = connectionsUnderLoad;
    return runLoad({ port, connections, durationMs, requests, repeat: true });
  };

  const creates = (port: number) => creating({ port, database: createDatabase });

  const rounds = { rounds: 2 * scale.aloneRounds, roundMs, warmUpMs: scale.warmUpMs };
  const reads = await takeTurns(
    [
      { name: "receiver by id", run: reading(reader.port) },
      { name: "receiver by id, logged", run: reading(reader.loggingPort) },
    ],
    rounds,
  );
  const created = await takeTurns(
    [
      { name: "create receiver", run: creates(creator.port) },
      { name: "create receiver, logged", run: creates(creator.loggingPort) },
    ],
    rounds,
  );
  for (const server of [reader, creator]) await server.stop();

  const read = ratioOf(reads["receiver by id, logged"], reads["receiver by id"]);
  const create = ratioOf(created["create receiver, logged"], created["create receiver"]);
  return {
    title: "Request log",
    how: `${connectionsUnderLoad} connections, signed, one process with two ports, pairs of rounds of ${roundMs / 1000} s; the ratio is the median of the pairs'`,
    figures: Object.values(figuresOf({ ...reads, ...created })),
    requirements: [
      atLeast("receiver by id: with the request log / without", read.ratio, 0.95),
      atLeast("create receiver: with the request log / without", create.ratio, 0.95),
    ],
    notes: [
      `Half of the pairs: ${read.spread} of receiver by id, ${create.spread} of create receiver.`,
    ],
  };
};

type Rated = { perSecond: number };

/** The median of the pairs' ratios, and the range of their middle half. */
function ratioOf(over: readonly Rated[], under: readonly Rated[]) {
  const ratios = over
    .map(({ perSecond }, index) => perSecond / (under[index] as Rated).perSecond)
    .toSorted((left, right) => left - right);
  const at = (share: number) => (ratios[Math.floor(share * (ratios.length - 1))] ?? 0).toFixed(2);
  return { ratio: median(ratios) as number, spread: `${at(0.25)} to ${at(0.75)}` };
}
