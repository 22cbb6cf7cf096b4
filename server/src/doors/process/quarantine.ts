// A process on data in quarantine: it answers reads, lets users sign in to the console, and does nothing else.

import type { FastifyRequest } from "fastify";
import { Refusal } from "../../platform/refusals/index.ts";
import type { Background } from "./service-parts.ts";

export const quarantineReasons = (isQuarantined = false): string[] =>
  isQuarantined ? ["in quarantine: restored or moved, and not released"] : [];

/** Without signing in, a user could not look at the restored data. */
const signIn = /^\/console\/api\/(auth|auth-options|step-up|set-up)(\/|\?|$)/;

/** A hook for every request. */
export function refuseWrites(
  { method, raw, routeOptions, is404 }: FastifyRequest,
  _reply: unknown,
  done: (error?: Error) => void,
): void {
  const isRead = method === "GET" || method === "HEAD" || routeOptions.config.isDryRun;
  if (isRead || is404 || signIn.test(raw.url ?? "")) done();
  else done(new Refusal("SYST111", { headers: { "retry-after": "60" } }));
}

/** Nothing is sent, polled or checked. */
export function noBackground(): Background {
  return { onKycDue() {}, onPayoutDue() {}, lead() {}, reasons: () => [], async close() {} };
}
