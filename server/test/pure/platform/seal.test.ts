// Encrypted values and the key ring: the versions of the format, the choice of the key, and the keys of persons.

import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import {
  dataKeyId,
  KeyRing,
  keyIdOf,
  masterKeyBytes,
  sealOf,
  sealWith,
  UnknownDataKey,
  UnreadableValue,
} from "../../../src/platform/encryption/seal.ts";

const newKey = () => randomBytes(masterKeyBytes);

test("under the original key a value has version 1, as before there were data keys", () => {
  const original = newKey();
  const sealed = sealWith(original).encrypt("secret", "table:1");
  expect(sealed[0]).toBe(1);
  expect(sealed.length).toBe(1 + 12 + "secret".length + 16);
  const ring = new KeyRing(original);
  ring.add(newKey());
  expect(sealOf(ring).decrypt(sealed, "table:1")).toBe("secret");
});

test("under another key a value names the key, and every ring that has it can read the value", () => {
  const [original, key] = [newKey(), newKey()];
  const ring = new KeyRing(original);
  ring.add(key);
  const before = sealOf(ring).encrypt("one", "table:1");
  ring.writeWith(dataKeyId(key));
  const after = sealOf(ring).encrypt("two", "table:2");
  expect([...after.subarray(0, 5)]).toEqual([2, ...Buffer.from(dataKeyId(key), "hex")]);
  expect(keyIdOf(before, ring.originalId)).toBe(dataKeyId(original));
  expect(keyIdOf(after, ring.originalId)).toBe(dataKeyId(key));
  const other = new KeyRing(original);
  other.add(key);
  expect(sealOf(other).decrypt(before, "table:1")).toBe("one");
  expect(sealOf(other).decrypt(after, "table:2")).toBe("two");
  expect(() => sealOf(other).decrypt(after, "table:1")).toThrow();
  after[6] = (after[6] as number) ^ 1;
  expect(sealOf(other).decryptIfReadable(after, "table:2")).toBeUndefined();
});

test("derived secrets, fingerprints and signatures are the same under every current key", () => {
  const original = newKey();
  const ring = new KeyRing(original);
  const key = newKey();
  ring.add(key);
  const facts = () => {
    const seal = sealOf(ring);
    return [seal.derive("x").toString("hex"), seal.sign("x", "y"), seal.fingerprint(original)];
  };
  const before = facts();
  ring.writeWith(dataKeyId(key));
  expect(facts()).toEqual(before);
});

test("a value under an unknown key asks for the key, and is unreadable once it is known to be absent", () => {
  const [original, key] = [newKey(), newKey()];
  const writer = new KeyRing(original);
  writer.add(key);
  writer.writeWith(dataKeyId(key));
  const sealed = sealOf(writer).encrypt("secret", "table:1");
  const ring = new KeyRing(original);
  const seal = sealOf(ring);
  // A ring that never changes can't hope for the key.
  expect(seal.decryptIfReadable(sealed, "table:1")).toBeUndefined();
  const asked: string[] = [];
  ring.onUnknown = (id) => void asked.push(id);
  expect(() => seal.decryptIfReadable(sealed, "table:1")).toThrow(UnknownDataKey);
  expect(asked).toEqual([dataKeyId(key)]);
  ring.noteAbsent(dataKeyId(key));
  expect(seal.decryptIfReadable(sealed, "table:1")).toBeUndefined();
  expect(asked).toHaveLength(1);
  ring.add(key);
  expect(seal.decrypt(sealed, "table:1")).toBe("secret");
});

test.each([
  ["nothing", Buffer.alloc(0)],
  ["an unknown version", Buffer.of(3, 1, 2, 3)],
  ["a cut key id", Buffer.of(2, 1, 2)],
])("%s is unreadable", (_, sealed) => {
  expect(sealWith(newKey()).decryptIfReadable(sealed, "table:1")).toBeUndefined();
});

test("the key of a person is derived from stored random bytes, for one row, and a rotation stores it encrypted", () => {
  const [original, key] = [newKey(), newKey()];
  const ring = new KeyRing(original);
  const seal = sealOf(ring);
  const { key: person, stored } = seal.newPersonKey("receiver:1");
  expect([stored[0], stored.length]).toEqual([4, 1 + 4 + 32 + 16]);
  expect(keyIdOf(stored, ring.originalId)).toBe(ring.originalId);
  const value = person.encrypt("1 Street", "address:1");
  expect(seal.openPersonKey(stored, "receiver:1").decrypt(value, "address:1")).toBe("1 Street");
  const another = seal.newPersonKey("receiver:1");
  expect(another.stored).not.toEqual(stored);
  expect(() => another.key.decrypt(value, "address:1")).toThrow();

  // Copied to another row, changed or cut, it is refused. So it is by another master key.
  expect(() => seal.openPersonKey(stored, "receiver:2")).toThrow(UnreadableValue);
  for (let index = 0; index < stored.length; index++) {
    const changed = Buffer.from(stored);
    changed[index] = (changed[index] as number) ^ 1;
    expect(() => seal.openPersonKey(changed, "receiver:1")).toThrow();
    expect(seal.decryptIfReadable(stored.subarray(0, index), "receiver:1")).toBeUndefined();
  }
  expect(() => sealWith(newKey()).openPersonKey(stored, "receiver:1")).toThrow(UnknownDataKey);

  ring.add(key);
  ring.writeWith(dataKeyId(key));
  const rotated = seal.encrypt(seal.decrypt(stored, "receiver:1"), "receiver:1");
  expect(keyIdOf(rotated, ring.originalId)).toBe(dataKeyId(key));
  expect(seal.openPersonKey(rotated, "receiver:1").decrypt(value, "address:1")).toBe("1 Street");
  const later = seal.newPersonKey("receiver:3");
  expect(keyIdOf(later.stored, ring.originalId)).toBe(dataKeyId(key));
});
