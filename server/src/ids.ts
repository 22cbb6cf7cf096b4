// Identifiers: UUID version 7, so that indexes grow at one end and ids sort by time of creation.

import { randomFillSync } from "node:crypto";

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
const randomPool = Buffer.alloc(4096);
let randomUsed = randomPool.length;
let lastMs = 0;
let sequence = 0;

/**
 * Strictly increasing within a process: ids of one millisecond are told apart by a 12-bit sequence
 * that starts at a random point of its lower half. When it runs over, time is borrowed from the
 * next millisecond, as RFC 9562 allows.
 */
export function newId(nowMs: number = Date.now()): string {
  if (randomUsed + 10 > randomPool.length) {
    randomFillSync(randomPool);
    randomUsed = 0;
  }
  const random = randomPool.subarray(randomUsed, randomUsed + 10);
  randomUsed += 10;

  if (nowMs > lastMs) {
    lastMs = nowMs;
    sequence = random.readUInt16BE(8) & 0x7ff;
  } else if (++sequence > 0xfff) {
    lastMs += 1;
    sequence = random.readUInt16BE(8) & 0x7ff;
  }

  const time = lastMs.toString(16).padStart(12, "0");
  const version = `7${sequence.toString(16).padStart(3, "0")}`;
  const variant = `${hex[0x80 | (at(random, 0) & 0x3f)]}${hex[at(random, 1)]}`;
  let node = "";
  for (let index = 2; index < 8; index++) node += hex[at(random, index)];
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}-${variant}-${node}`;
}

/** The millisecond at which an id of ours was made. */
export function idTimeMs(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

function at(bytes: Uint8Array, index: number): number {
  return bytes[index] as number;
}
