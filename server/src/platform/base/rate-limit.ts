// A token bucket per key. Tokens are taken after the signature is verified, so that a stranger can't use up the tokens of
// another key. Each process has its own buckets; the processes of one service tell each other what they took.

import { limits } from "../limits/index.ts";
import type { Clock } from "./clock.ts";

export type RateLimit = { perSecond: number; burst: number };

export type Take = {
  allowed: boolean;
  headers: Record<"ratelimit" | "ratelimit-policy", string> & { "retry-after"?: string };
};

/**
 * Allowed while at least one token is left. A call may cost more than is left; later calls wait until the debt is paid.
 */
export type TakeTokens = (key: string, cost?: number) => Take;

/** Tells the other processes which tokens were taken here, and reports which ones they took. */
export type TokenExchange = {
  tell(key: string, tokens: number): void;
  onTold(take: (key: string, tokens: number) => void): void;
};

type Bucket = { tokens: number; atMs: number };

/** Undefined when there is no limit. */
export function rateLimiter(
  { perSecond, burst }: RateLimit,
  clock: Clock,
  exchange?: TokenExchange,
): TakeTokens | undefined {
  if (perSecond === 0) return undefined;
  // Two generations: a used bucket moves to `recent`, and `older` is dropped as a whole. Deleting and setting a bucket at
  // each use would be an exact LRU, but the hash tables that a Map leaves behind are only freed by a full garbage
  // collection, so memory would grow with every call.
  let recent = new Map<string, Bucket>();
  let older = new Map<string, Bucket>();
  // The time in which a full burst refills, as the RateLimit header fields define it.
  const windowS = Math.max(1, Math.ceil(burst / perSecond));
  const policy = `"key";q=${burst};w=${windowS}`;

  function bucketOf(key: string, nowMs: number): Bucket {
    const bucket = recent.get(key) ?? moved(key, nowMs);
    const earned = (Math.max(0, nowMs - bucket.atMs) * perSecond) / 1000;
    bucket.tokens = Math.min(burst, bucket.tokens + earned);
    bucket.atMs = nowMs;
    return bucket;
  }

  function moved(key: string, nowMs: number): Bucket {
    const bucket = older.get(key) ?? { tokens: burst, atMs: nowMs };
    if (recent.size >= limits.keyCacheMax / 2) {
      older = recent;
      recent = new Map();
    }
    recent.set(key, bucket);
    return bucket;
  }

  exchange?.onTold((key, tokens) => {
    bucketOf(key, clock()).tokens -= tokens;
  });

  return (key, cost = 1) => {
    const bucket = bucketOf(key, clock());
    const allowed = bucket.tokens >= 1;
    if (allowed) {
      bucket.tokens -= cost;
      exchange?.tell(key, cost);
    }
    const remaining = Math.max(0, Math.floor(bucket.tokens));
    const fullInS = Math.ceil((burst - bucket.tokens) / perSecond);
    const headers: Take["headers"] = {
      ratelimit: `"key";r=${remaining};t=${fullInS}`,
      "ratelimit-policy": policy,
    };
    if (!allowed) {
      headers["retry-after"] = String(Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond)));
    }
    return { allowed, headers };
  };
}
