// Slows down password guessing. An attempt is counted before it is checked, and the count is taken back when it
// succeeds, so attempts in parallel are all counted, over all processes. Attempts are counted by email and network
// together, by network, and by email. A browser that the user has used before, and a session that confirms its
// password, have separate counts that other people can't use up.

import ipaddr from "ipaddr.js";
import type { Clock } from "../../platform/base/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { countAttempt, forgiveAttempt } from "../user-records/index.ts";

type Attempt =
  | {
      email: string;
      ip: string;
      /** Set if this user has signed in with the browser before. */
      knownBrowser: string | undefined;
    }
  | { sessionId: string }
  /** The user types the code of a command line that asks to sign in. */
  | { codesOf: string };

type Source = {
  hash: string;
  failuresMax: number;
  /** Whether a success resets the count. A count that others share goes down by one instead. */
  isOwn: boolean;
};

export async function requireFewAttempts(
  { db, seal, clock }: { db: Db; seal: Seal; clock: Clock },
  attempt: Attempt,
): Promise<void> {
  const nowMs = clock();
  const sources = new Map(sourcesOf(seal, attempt).map((source) => [source.hash, source]));
  const counts = await countAttempt(db, { sources: [...sources.keys()], nowMs });
  const over = counts.filter(
    ({ source, failures }) => failures > (sources.get(source)?.failuresMax ?? 0),
  );
  if (over.length === 0) return;
  const endMs = Math.max(...over.map(({ sinceMs }) => sinceMs)) + limits.logInWindowMs;
  const waitS = Math.max(1, Math.ceil((endMs - nowMs) / 1000));
  throw new Refusal("CONS202", { headers: { "retry-after": String(waitS) } });
}

export async function attemptSucceeded(
  { db, seal }: { db: Db; seal: Seal },
  attempt: Attempt,
): Promise<void> {
  const sources = sourcesOf(seal, attempt);
  const hashesOf = (isOwn: boolean) =>
    sources.filter((source) => source.isOwn === isOwn).map(({ hash }) => hash);
  await forgiveAttempt(db, { own: hashesOf(true), shared: hashesOf(false) });
}

function sourcesOf(seal: Seal, attempt: Attempt): Source[] {
  const source = (text: string, failuresMax: number, isOwn: boolean): Source => ({
    hash: seal.fingerprint(Buffer.from(`log-in:${text}`)),
    failuresMax,
    isOwn,
  });
  const few = limits.logInFailuresOfEmail;
  if ("sessionId" in attempt) return [source(`session:${attempt.sessionId}`, few, true)];
  if ("codesOf" in attempt) {
    return [source(`codes:${attempt.codesOf}`, limits.loginCodeTriesMax, true)];
  }
  const email = attempt.email.toLowerCase();
  if (attempt.knownBrowser) {
    return [source(`browser:${attempt.knownBrowser}:${email}`, few, true)];
  }
  const network = networkOf(attempt.ip);
  return [
    source(`email:${network} ${email}`, few, true),
    source(`address:${network}`, limits.logInFailuresOfAddress, false),
    source(`anywhere:${email}`, limits.logInFailuresAnywhere, false),
  ];
}

/** An IPv6 network belongs to one user as a whole. */
function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === "ipv4") return address.toString();
  return (address as ipaddr.IPv6).parts.slice(0, 4).join(":");
}
