// Ids, and the HMAC that is ours: held against plain definitions and against Node's own.

import { createHmac } from "node:crypto";
import fc from "fast-check";
import validator from "validator";
import { expect, test } from "vitest";
import { isEmail } from "../src/contact.ts";
import { idTimeMs, isUuid, newId } from "../src/ids.ts";
import { hmacHex, hmacKey } from "../src/subaccounts/signature.ts";

test("100,000 ids are UUIDs of version 7, all different, in order, and carry their time", () => {
  const before = Date.now();
  const ids = Array.from({ length: 100_000 }, () => newId());
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
  for (const id of ids) {
    if (!isUuid(id) || !/^.{14}7.{4}[89ab]/.test(id)) throw new Error(`no version 7: ${id}`);
  }
  expect(idTimeMs(ids[0] as string)).toBeGreaterThanOrEqual(before);
  // Time is borrowed when a millisecond has no more room, but only as much as was used up.
  expect(idTimeMs(ids.at(-1) as string) - Date.now()).toBeLessThan(100);
});

test("a clock that goes back does not turn the order round", () => {
  const now = Date.now() + 10_000;
  const ids = [newId(now), newId(now - 5_000), newId(now), newId(now + 1)];
  expect(ids.toSorted()).toEqual(ids);
});

test("our HMAC is Node's, for secrets and texts of every length", () => {
  const anyText = fc.string({ unit: "binary", maxLength: 3000 });
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), anyText, (secret, text) => {
      const expected = createHmac("sha256", secret).update(text).digest("hex");
      expect(hmacHex(hmacKey(secret), text)).toBe(expected);
    }),
    { numRuns: 5_000 },
  );
});

test("the quick look at an e-mail address lets nothing through that the library refuses", () => {
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
