// Remembers unknown keys in memory of a fixed size. As ordinary objects they would become old garbage, which only a
// full garbage collection removes, so a flood of made-up keys would fill the memory.

import { hash, randomBytes } from "node:crypto";
import { limits } from "../../platform/limits/index.ts";

type UnknownKeys = {
  /** False also for a key that another one has replaced. */
  has(key: string): boolean;
  add(key: string): void;
  clear(): void;
};

/** Long enough that no two keys have the same digest. */
const markBytes = 16;

export function unknownKeys(slots: number = limits.keyCacheMax): UnknownKeys {
  const marks = Buffer.alloc(slots * markBytes);
  const digest = Buffer.alloc(32);
  // Callers must not be able to find keys that share a place.
  const salt = randomBytes(16).toString("hex");

  /** Computes the digest of a key, and returns its place. */
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
