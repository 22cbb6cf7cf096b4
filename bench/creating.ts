// Load that creates receivers: each request has its own email, and is built before the clock runs.

import { randomUUID } from "node:crypto";
import type { MadeUpName } from "../server/test/scenarios/screening-people.ts";
import type { Database } from "./database.ts";
import { type Round, runLoad } from "./load.ts";
import { connectionsUnderLoad } from "./measure.ts";
import { requestBuilder, type SignatureVersion, sampleReceiver, uniqueEmail } from "./requests.ts";

const perSecondGuess = 10_000;

type Creating = {
  port: number;
  database: Database;
  version?: SignatureVersion;
  /** Adds a unique Idempotency-Key to every request. */
  keyed?: boolean;
  /** The receivers' names, in turn. */
  names?: readonly MadeUpName[];
};

export function creating(options: Creating) {
  const { port, database, version = 1, keyed = false, names = [] } = options;
  let perSecond = perSecondGuess;
  let made = 0;
  return async (durationMs: number): Promise<Round> => {
    const build = requestBuilder(database.caller, version);
    const count = Math.ceil((perSecond * 1.5 * durationMs) / 1000);
    const requests = Array.from({ length: count }, () => {
      made += 1;
      const name = names[made % names.length];
      const body = JSON.stringify({ ...sampleReceiver(uniqueEmail()), ...name });
      const key = keyed ? { idempotencyKey: randomUUID() } : {};
      return build({ method: "POST", path: "/api/receiver", body, ...key });
    });
    const connections = connectionsUnderLoad;
    const round = await runLoad({ port, connections, durationMs, requests, repeat: false });
    perSecond = round.perSecond;
    return round;
  };
}
