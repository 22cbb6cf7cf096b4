// Made-up keys and their calls leave no objects in memory. A slice of `npm run prove -- --only unauthorised-memory`.

import { createHmac, randomBytes } from "node:crypto";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { rateLimiter } from "../../../src/platform/base/rate-limit.ts";
import { limits } from "../../../src/platform/limits/limits.ts";
import { hmacHex, hmacKey } from "../../../src/platform/signatures/signature.ts";
import { unknownKeys } from "../../../src/tenants/api-keys/unknown-keys.ts";

setFlagsFromString("--expose-gc");
/** A full garbage collection. The objects that it keeps are old objects. */
const collect = runInNewContext("gc") as () => void;

const mib = 1024 * 1024;

/** Objects that only a full garbage collection removes, in bytes. */
function oldBytes(): number {
  return getHeapSpaceStatistics()
    .filter(({ space_name }) => ["old_space", "large_object_space"].includes(space_name))
    .reduce((sum, { space_used_size }) => sum + space_used_size, 0);
}

const madeUp = () => randomBytes(16).toString("hex");

test("unknown keys are remembered until the set is cleared, and other keys are not in it", () => {
  const unknown = unknownKeys();
  const [key, other] = [madeUp(), madeUp()];
  unknown.add(key);
  expect([unknown.has(key), unknown.has(other)]).toEqual([true, false]);
  unknown.clear();
  expect(unknown.has(key)).toBe(false);
});

test("of two unknown keys in one slot the later one is remembered", () => {
  const unknown = unknownKeys(1);
  const [earlier, later] = [madeUp(), madeUp()];
  unknown.add(earlier);
  unknown.add(later);
  expect([unknown.has(earlier), unknown.has(later)]).toEqual([false, true]);
});

test("unknown keys leave no old objects behind", () => {
  const unknown = unknownKeys();
  collect();
  const before = oldBytes();
  for (let made = 0; made < 50_000; made++) unknown.add(`key ${made}`);
  expect(oldBytes() - before).toBeLessThan(mib);
});

test("calls of one key leave no old objects behind in the rate limit", () => {
  const take = rateLimiter({ perSecond: 1, burst: 1 }, () => 0);
  take?.("one");
  collect();
  const before = oldBytes();
  for (let call = 0; call < 300_000; call++) take?.("one");
  expect(oldBytes() - before).toBeLessThan(mib);
});

test("a key in use stays limited however many others call", () => {
  const take = rateLimiter({ perSecond: 1, burst: 1 }, () => 0);
  expect(take?.("in use").allowed).toBe(true);
  for (let call = 0; call < 3 * limits.keyCacheMax; call++) {
    take?.(`other ${call}`);
    if (call % 1_000 === 0) expect(take?.("in use").allowed).toBe(false);
  }
});

test("texts of every length, one after the other, have the same HMAC as Node's", () => {
  const secret = madeUp();
  const key = hmacKey(secret);
  for (const length of [1, 16_000, 600, 683, 16_384, 16_385, 40_000, 2]) {
    for (const character of ["k", "é", "漢"]) {
      const text = character.repeat(length);
      expect(hmacHex(key, text)).toBe(createHmac("sha256", secret).update(text).digest("hex"));
    }
  }
});

test("the HMAC of a text of maximum header length allocates no memory", () => {
  const key = hmacKey(madeUp());
  const text = "k".repeat(limits.headerBytesMax);
  hmacHex(key, text);
  collect();
  const before = process.memoryUsage().arrayBuffers;
  for (let call = 0; call < 100; call++) hmacHex(key, text);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(mib);
});
