// One request at a time: batching must cost nothing where there is nothing to batch.

import { runLoad } from "../load.ts";
import type { Measure } from "../measure.ts";
import { addReceivers, sampleIds } from "../receivers.ts";
import { requestBuilder, sampleReceiver, uniqueEmail } from "../requests.ts";
import { atMost } from "../requirement.ts";
import { interleave } from "../rounds.ts";

const readsRepeated = 1_000;
const createsPerSecondMost = 4_000;

export const measureAlone: Measure = async ({ postgres, servers, scale }) => {
  const database = await postgres.createDatabase("alone");
  await addReceivers(database, scale.receiversFew);
  const ids = await sampleIds(database, readsRepeated);
  const batched = await servers.disburse(database);
  const unbatched = await servers.disburse(database, "off");

  const reading = (port: number) => (durationMs: number) => {
    const build = requestBuilder(database.caller, 1);
    const requests = ids.map((id) => build({ method: "GET", path: `/api/receiver/${id}` }));
    return runLoad({ port, connections: 1, durationMs, requests, repeat: true });
  };
  const creating = (port: number) => (durationMs: number) => {
    const build = requestBuilder(database.caller, 1);
    const length = Math.ceil((createsPerSecondMost * durationMs) / 1000);
    const requests = Array.from({ length }, () => {
      const body = JSON.stringify(sampleReceiver(uniqueEmail()));
      return build({ method: "POST", path: "/api/receiver", body });
    });
    return runLoad({ port, connections: 1, durationMs, requests, repeat: false });
  };

  const { aloneRounds: rounds, aloneRoundMs: roundMs, warmUpMs } = scale;
  const figures = await interleave(
    [
      { name: "receiver by id, batched", run: reading(batched.port) },
      { name: "receiver by id, one statement per request", run: reading(unbatched.port) },
      { name: "create receiver, batched", run: creating(batched.port) },
      { name: "create receiver, one statement per request", run: creating(unbatched.port) },
    ],
    { rounds, roundMs, warmUpMs },
  );
  await Promise.all([batched.stop(), unbatched.stop()]);

  const slower = (what: "receiver by id" | "create receiver") =>
    (figures[`${what}, batched`].p50Ms as number) /
    (figures[`${what}, one statement per request`].p50Ms as number);
  return {
    title: "One request alone",
    how: "1 connection, one request after the other",
    figures: Object.values(figures),
    requirements: [
      atMost("receiver by id alone: p50 batched / unbatched", slower("receiver by id"), 1.1),
      atMost("create receiver alone: p50 batched / unbatched", slower("create receiver"), 1.1),
    ],
    notes: [],
  };
};
