// Ids, our own HMAC compared with Node's, and the email check compared with a library.

import { createHmac } from "node:crypto";
import fc from "fast-check";
import validator from "validator";
import { expect, test } from "vitest";
import { idGenerator, idTimeMs, isUuid, newId } from "../../../src/platform/base/ids.ts";
import { isEmail } from "../../../src/platform/emails/email.ts";
import { hmacHex, hmacKey } from "../../../src/platform/signatures/signature.ts";

test("100,000 ids are UUIDs of version 7, all different, in order, and contain their time", () => {
  const newId = idGenerator(Date.now);
  const before = Date.now();
  const ids = Array.from({ length: 100_000 }, newId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
  for (const id of ids) {
    if (!isUuid(id) || !/^.{14}7.{4}[89ab]/.test(id)) throw new Error(`no version 7: ${id}`);
  }
  expect(idTimeMs(ids[0] as string)).toBeGreaterThanOrEqual(before);
});

test("ids use the next milliseconds when one is full, and no more than needed", () => {
  const newId = idGenerator(() => 1_700_000_000_000);
  const ids = Array.from({ length: 100_000 }, newId);
  expect(ids.toSorted()).toEqual(ids);
  // A millisecond has room for at least 2,048 ids.
  const borrowedMs = idTimeMs(ids.at(-1) as string) - 1_700_000_000_000;
  expect(borrowedMs).toBeGreaterThan(100_000 / 4096 - 1);
  expect(borrowedMs).toBeLessThan(100_000 / 2048 + 1);
});

test("ids stay in order when the clock goes back", () => {
  const now = Date.now() + 10_000;
  const moments = [now, now - 5_000, now, now + 1];
  const newId = idGenerator(() => moments.shift() as number);
  const ids = Array.from({ length: 4 }, newId);
  expect(ids.toSorted()).toEqual(ids);
});

test("ids contain the time of their creation", () => {
  const beforeMs = Date.now();
  const madeMs = idTimeMs(newId());
  expect(madeMs).toBeGreaterThanOrEqual(beforeMs);
  expect(madeMs).toBeLessThanOrEqual(Date.now() + 1_000);
});

test("our HMAC equals Node's for secrets and texts of every length", () => {
  const anyText = fc.string({ unit: "binary", maxLength: 3000 });
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), anyText, (secret, text) => {
      const expected = createHmac("sha256", secret).update(text).digest("hex");
      expect(hmacHex(hmacKey(secret), text)).toBe(expected);
    }),
    { numRuns: 5_000 },
  );
});

test("the fast email check agrees with the library", () => {
  const part = fc.string({
    unit: fc.constantFrom(..."aZ09_+-."),
    minLength: 1,
    maxLength: 70,
  });
  fc.assert(
    fc.property(part, part, (local, domain) => {
      const email = `${local}@${domain}`;
      expect(isEmail(email)).toBe(validator.isEmail(email));
    }),
    { numRuns: 20_000 },
  );
  const likely = fc.emailAddress();
  fc.assert(
    fc.property(likely, (email) => {
      if (!email.includes('"')) expect(isEmail(email)).toBe(validator.isEmail(email));
    }),
    { numRuns: 5_000 },
  );
});
