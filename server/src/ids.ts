// Identifiers: UUID version 7, so that indexes grow at one end and ids sort by time of creation.

import { randomFillSync } from "node:crypto";
import { type Clock, systemClock } from "./clock.ts";

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}

const randomBytesEach = 10;

/**
 * Ids of one generator strictly increase: those of one millisecond are told apart by a 12-bit sequence
 * that starts at a random point of its lower half. When it runs over, time is borrowed from the
 * next millisecond, as RFC 9562 allows. A generator that was ahead once stays ahead, so a test that moves a
 * clock makes one of its own.
 */
export function idGenerator(clock: Clock): () => string {
  const randomPool = Buffer.alloc(4096);
  let randomUsed = randomPool.length;
  let lastMs = 0;
  let sequence = 0;
  /** What all ids of one millisecond begin with. */
  let prefix = "";
  let prefixMs = -1;

  return () => {
    if (randomUsed + randomBytesEach > randomPool.length) {
      randomFillSync(randomPool);
      randomUsed = 0;
    }
    const random = randomPool.toString("hex", randomUsed, randomUsed + 8);
    const start = randomPool.readUInt16BE(randomUsed + 8);
    randomUsed += randomBytesEach;

    const nowMs = clock();
    if (nowMs > lastMs) {
      lastMs = nowMs;
      sequence = start & 0x7ff;
    } else if (++sequence > 0xfff) {
      lastMs += 1;
      sequence = start & 0x7ff;
    }

    if (lastMs !== prefixMs) {
      const time = lastMs.toString(16).padStart(12, "0");
      prefix = `${time.slice(0, 8)}-${time.slice(8)}-7`;
      prefixMs = lastMs;
    }
    // Two random bits of `start` choose one of the four variant digits.
    const variant = "89ab"[start >> 14];
    return `${prefix}${hex3(sequence)}-${variant}${random.slice(1, 4)}-${random.slice(4)}`;
  };
}

/** The ids of this process. */
export const newId = idGenerator(systemClock);

/**
 * For the id of a test event. It says so itself, by version 8 in the place of 7, so that it needs no column and no
 * look at the row to know that nothing happened for an event.
 */
export function newTestEventId(): string {
  const id = newId();
  return `${id.slice(0, 14)}8${id.slice(15)}`;
}

export function isTestEventId(id: string): boolean {
  return id.charAt(14) === "8";
}

/** The id in the name of an event, such as `evt_…` or `evt_test_…`. Any other text is returned unchanged. */
export function withoutEventPrefix(name: string): string {
  return name.startsWith("evt_") ? name.slice(name.startsWith("test_", 4) ? 9 : 4) : name;
}

function hex3(value: number): string {
  return (value + 0x1000).toString(16).slice(1);
}

/** The millisecond at which an id of ours was made. */
export function idTimeMs(id: string): number {
  return Number.parseInt(id.slice(0, 8), 16) * 0x1_0000 + Number.parseInt(id.slice(9, 13), 16);
}
