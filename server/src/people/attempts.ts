// Guessing is slow: attempts to log in are counted before they are looked at, by e-mail and by network address,
// and taken back when they succeed. So any number of attempts at once counts as that many.

import ipaddr from "ipaddr.js";
import type { Clock } from "../clock.ts";
import type { Db } from "../db/connect.ts";
import { limits } from "../limits.ts";
import { Refusal } from "../refusals.ts";
import type { Seal } from "../seal.ts";
import { countAttempt, forgiveAttempt } from "./attempt-queries.ts";

export type Attempt = { email: string; ip: string };

export async function demandFewAttempts(
  { db, seal, clock }: { db: Db; seal: Seal; clock: Clock },
  attempt: Attempt,
): Promise<void> {
  const nowMs = clock();
  const { ofEmail, ofAddress } = sourcesOf(seal, attempt);
  const counts = await countAttempt(db, { sources: [ofEmail, ofAddress], nowMs });
  const maxOf = (source: string) =>
    source === ofEmail ? limits.logInFailuresOfEmail : limits.logInFailuresOfAddress;
  const over = counts.filter(({ source, failures }) => failures > maxOf(source));
  if (over.length === 0) return;
  const endMs = Math.max(...over.map(({ sinceMs }) => sinceMs)) + limits.logInWindowMs;
  const waitS = Math.max(1, Math.ceil((endMs - nowMs) / 1000));
  throw new Refusal("CONS202", { headers: { "retry-after": String(waitS) } });
}

export async function attemptSucceeded(
  { db, seal }: { db: Db; seal: Seal },
  attempt: Attempt,
): Promise<void> {
  await forgiveAttempt(db, sourcesOf(seal, attempt));
}

function sourcesOf(seal: Seal, { email, ip }: Attempt) {
  const hashOf = (text: string) => seal.fingerprint(Buffer.from(text));
  return {
    ofEmail: hashOf(`log-in:email:${email.toLowerCase()}`),
    ofAddress: hashOf(`log-in:address:${networkOf(ip)}`),
  };
}

/** Whoever has an address of IPv6 has a whole network of them. */
function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === "ipv4") return address.toString();
  return (address as ipaddr.IPv6).parts.slice(0, 4).join(":");
}
