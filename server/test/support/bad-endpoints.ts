// Every kind of bad endpoint, opened at once: each with a name, a behaviour and the expected outcome.

import { Resolver } from "node:dns/promises";
import { type Address, lookupWith } from "../../src/platform/addresses/address-guard.ts";
import type { Posted, PosterOptions } from "../../src/webhooks/http-client/post.ts";
import { largeAnswers, oddAnswers, slowAnswers, statuses } from "./bad-answers.ts";
import { badConnections, badTls } from "./bad-connections.ts";
import type { BadEndpoint, Expected, Timeouts, Times } from "./bad-endpoint-kinds.ts";
import { serveSockets } from "./bad-endpoint-servers.ts";
import { authority } from "./certificates/certificates.ts";
import { startDnsServer } from "./dns-server.ts";

export const badEndpoints: BadEndpoint[] = [
  ...badConnections,
  ...badTls,
  ...slowAnswers,
  ...largeAnswers,
  ...oddAnswers,
  ...statuses,
];

export type OpenedEndpoint = { name: string; url: string; tests?: keyof Timeouts };

export type BadEndpoints = {
  endpoints: OpenedEndpoint[];
  dnsAddress: string;
  /** Connections to where redirects point. */
  canaryHits(): number;
  close(): Promise<void>;
};

/** The options a poster needs to reach them. `dnsMs`: its timeout of a lookup. */
export function reaching(
  dnsAddress: string,
  dnsMs: number,
): Pick<PosterOptions, "policy" | "ca" | "lookup"> {
  function lookup(hostname: string): Promise<Address[]> {
    // A new one each time: after three quick answers, a resolver waits a quarter of a second only. Without a maximum
    // of our own, it waits 5 s at most.
    const resolver = new Resolver({ timeout: dnsMs, maxTimeout: dnsMs, tries: 1 });
    resolver.setServers([dnsAddress]);
    return lookupWith(resolver, hostname);
  }
  return { policy: "loopback", ca: authority, lookup };
}

export async function openBadEndpoints(times: Times): Promise<BadEndpoints> {
  let canaryHits = 0;
  const canary = await serveSockets(() => {
    canaryHits += 1;
  });
  const canaryUrl = `http://127.0.0.1:${canary.port}/`;
  const dns = await startDnsServer((name, type) => {
    if (name.startsWith("silent")) return "nothing";
    if (name.startsWith("empty")) return [];
    if (name.startsWith("inside")) return type === "A" ? ["93.184.216.34", "127.0.0.1"] : [];
    return "no such name";
  });
  const opened = await Promise.all(
    badEndpoints.map(async ({ name, tests, open, url }) => {
      const server = await open?.(times, canaryUrl);
      const endpoint: OpenedEndpoint = {
        name,
        url: url(server?.port ?? 0),
        ...(tests && { tests }),
      };
      return { endpoint, server };
    }),
  );
  return {
    endpoints: opened.map(({ endpoint }) => endpoint),
    dnsAddress: dns.address,
    canaryHits: () => canaryHits,
    async close() {
      const servers = opened.map(({ server }) => server);
      await Promise.all([canary, dns, ...servers].map((one) => one?.close()));
    },
  };
}

/** The difference from the expected outcome, or undefined. */
export function difference(expected: Expected, posted: Posted): string | undefined {
  const { status, failure, retryAfter, detail = /^/, answer = /^/ } = expected;
  const isAsExpected =
    posted.status === status &&
    [failure].flat().includes(posted.failure) &&
    posted.retryAfter === retryAfter &&
    isLike(posted.detail, detail) &&
    isLike(posted.answer, answer);
  if (isAsExpected) return undefined;
  const shown = JSON.stringify({ ...posted, answer: posted.answer.slice(0, 200) });
  return `${shown} is not ${JSON.stringify({ ...expected, answer: String(answer), detail: String(detail) })}`;
}

function isLike(text: string, wanted: string | RegExp): boolean {
  return typeof wanted === "string" ? text === wanted : wanted.test(text);
}
