// A poster to the bad endpoints that waits long, also on a busy machine. It has a short timeout only for the endpoints
// that test this timeout.

import { type Poster, poster } from "../../src/webhooks/http-client/post.ts";
import type { Timeouts } from "./bad-endpoint-kinds.ts";
import { type BadEndpoints, reaching } from "./bad-endpoints.ts";

const longMs = 60_000;
const long: Timeouts = {
  totalMs: longMs,
  dnsMs: longMs,
  addressMs: longMs,
  connectMs: longMs,
  tlsMs: longMs,
};

/** Some endpoints answer in part before they hang. The total is long enough to read that part on a busy machine. */
const short: Timeouts = {
  totalMs: 4_000,
  dnsMs: 1_000,
  addressMs: 1_000,
  connectMs: 1_000,
  tlsMs: 1_000,
};

export const shortTimes = {
  totalMs: short.totalMs,
  soonMs: 800,
  lateMs: short.totalMs + 4_000,
};

export function posterToBadEndpoints({
  endpoints,
  dnsAddress,
}: Pick<BadEndpoints, "endpoints" | "dnsAddress">): Poster {
  function open(tested?: keyof Timeouts): Poster {
    const timeouts = { ...long, ...(tested && { [tested]: short[tested] }) };
    return poster({ ...reaching(dnsAddress, timeouts.dnsMs), timeouts });
  }
  const patient = open();
  const impatient = new Map<keyof Timeouts, Poster>();
  const posterOf = new Map<string, Poster>();
  for (const { url, tests } of endpoints) {
    if (!tests) continue;
    const one = impatient.get(tests) ?? open(tests);
    impatient.set(tests, one);
    posterOf.set(url, one);
  }
  return {
    post: (call, signal) => (posterOf.get(call.url) ?? patient).post(call, signal),
    async close() {
      await Promise.all([patient, ...impatient.values()].map((one) => one.close()));
    },
  };
}
