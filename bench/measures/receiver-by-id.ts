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
/** More than a process remembers: each is as if it were read for the first time. */
const requestsForgotten = 40_000;
const perSecondGuess = 20_000;

export const measureReceiverById: Measure = async ({ postgres, servers, scale }) => {
  const database = await postgres.createDatabase("receiver_by_id");
  await addReceivers(database, requestsForgotten);
  await sealReceivers(database);
  const all = await sampleIds(database, requestsForgotten);
  const some = all.slice(0, requestsRepeated);

  const batched = await servers.disburse(database);
  const unbatched = await servers.disburse(database, "off");
  const bare = await servers.bare(await answerOf(batched.port, database, all[0] as string));

  const asking = (port: number, version: SignatureVersion, ids: readonly string[]) => {
    let perSecond = perSecondGuess;
    return async (durationMs: number) => {
      const build = requestBuilder(database.caller, version);
      // Version 1 may be repeated. Version 2 has a nonce, so each response needs its own request.
      const count = version === 1 ? ids.length : Math.ceil((perSecond * 1.5 * durationMs) / 1000);
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

  const load = ({ port, pid: service }: Server, version: SignatureVersion, ids = some) =>
    timed({ service, postgres: postgres.pid }, asking(port, version, ids));
  const figures = await interleave(
    [
      { name: "bare node:http, same bytes", run: load(bare, 1) },
      { name: "batched", run: load(batched, 1) },
      { name: "batched, first reads", run: load(batched, 1, all) },
      { name: "batched, signature version 2", run: load(batched, 2) },
      { name: "one statement per request", run: load(unbatched, 1) },
    ],
    scale,
  );
  await Promise.all([bare, batched, unbatched].map((server) => server.stop()));

  const rate = figures.batched.perSecond;
  return {
    title: "Receiver by id",
    how:
      `${connectionsUnderLoad} connections, signed, among ${requestsForgotten} receivers; ${requestsRepeated} of them ` +
      "again and again, apart from first reads, which are of all in turn",
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
