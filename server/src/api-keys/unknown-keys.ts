// Keys that nobody has, remembered in memory of a fixed size. Each would be garbage soon, but only after it had become an
// old object, which a full garbage collection alone removes: a flood of made-up keys must not leave so much behind.

import { hash, randomBytes } from "node:crypto";
import { limits } from "../limits.ts";

export type UnknownKeys = {
  /** False also for a key whose place another has taken since. */
  has(key: string): boolean;
  add(key: string): void;
  clear(): void;
};

/** Enough that no two keys have the same mark. */
const markBytes = 16;

export function unknownKeys(slots: number = limits.keyCacheMax): UnknownKeys {
  const marks = Buffer.alloc(slots * markBytes);
  const digest = Buffer.alloc(32);
  // Callers must not know which keys share a place.
  const salt = randomBytes(16).toString("hex");

  /** Makes the digest of a key, and says where its mark belongs. */
  function place(key: string): number {
    digest.write(hash("sha256", salt + key), "hex");
    return (digest.readUInt32LE(markBytes) % slots) * markBytes;
  }

  return {
    has(key) {
      const at = place(key);
      return digest.compare(marks, at, at + markBytes, 0, markBytes) === 0;
    },
    add(key) {
      const at = place(key);
      digest.copy(marks, at, 0, markBytes);
    },
    clear() {
      marks.fill(0);
    },
  };
}
