// Receiver by id under load: against the limit of the runtime, and against one statement per request.

import { ask } from "../ask.ts";
import type { Database } from "../database.ts";
import { runLoad } from "../load.ts";
import { connectionsUnderLoad, type Measure } from "../measure.ts";
import { addReceivers, sampleIds, sealReceivers } from "../receivers.ts";
import { requestBuilder, type SignatureVersion } from "../requests.ts";
import { atLeast } from "../requirement.ts";
import { interleave } from "../rounds.ts";
import type { Server } from "../server-process.ts";
import type { BareSetup } from "../servers/bare.ts";
import { timed } from "../service-times.ts";

const requestsRepeated = 4_096;
const perSecondGuess = 20_000;

export const measureReceiverById: Measure = async ({ postgres, servers, scale }) => {
  const database = await postgres.createDatabase("receiver_by_id");
  await addReceivers(database, scale.receiversFew);
  await sealReceivers(database);
  const ids = await sampleIds(database, requestsRepeated);

  const batched = await servers.disburse(database);
  const unbatched = await servers.disburse(database, "off");
  const bare = await servers.bare(await answerOf(batched.port, database, ids[0] as string));

  const asking = (port: number, version: SignatureVersion) => {
    let perSecond = perSecondGuess;
    return async (durationMs: number) => {
      const build = requestBuilder(database.caller, version);
      // Version 1 may be repeated. Version 2 has a nonce, so each response needs its own request.
      const count =
        version === 1 ? requestsRepeated : Math.ceil((perSecond * 1.5 * durationMs) / 1000);
      const requests = Array.from({ length: count }, (_, index) =>
        build({ method: "GET", path: `/api/receiver/${ids[index % ids.length]}` }),
      );
      const round = await runLoad({
        port,
        connections: connectionsUnderLoad,
        durationMs,
        requests,
        repeat: version === 1,
      });
      perSecond = round.perSecond;
      return round;
    };
  };

  const load = ({ port, pid: service }: Server, version: SignatureVersion) =>
    timed({ service, postgres: postgres.pid }, asking(port, version));
  const figures = await interleave(
    [
      { name: "bare node:http, same bytes", run: load(bare, 1) },
      { name: "batched", run: load(batched, 1) },
      { name: "batched, signature version 2", run: load(batched, 2) },
      { name: "one statement per request", run: load(unbatched, 1) },
    ],
    scale,
  );
  await Promise.all([bare, batched, unbatched].map((server) => server.stop()));

  const rate = figures.batched.perSecond;
  return {
    title: "Receiver by id",
    how: `${connectionsUnderLoad} connections, signed, ids at random among ${scale.receiversFew}`,
    figures: Object.values(figures),
    requirements: [
      atLeast(
        "receiver by id: batched / bare node:http",
        rate / figures["bare node:http, same bytes"].perSecond,
        0.5,
      ),
      atLeast(
        "receiver by id: batched / one statement per request",
        rate / figures["one statement per request"].perSecond,
        2,
      ),
    ],
    notes: [],
  };
};

/** A real response of the service, for the bare server to repeat. */
async function answerOf(port: number, { caller }: Database, id: string): Promise<BareSetup> {
  const request = requestBuilder(caller, 1)({ method: "GET", path: `/api/receiver/${id}` });
  const answer = await ask(port, request);
  if (!answer.ok) throw new Error(`answered with ${answer.status}: ${await answer.text()}`);
  const kept = ["content-type", "content-length", "x-request-id"];
  return {
    headers: Object.fromEntries([...answer.headers].filter(([name]) => kept.includes(name))),
    body: await answer.text(),
  };
}
