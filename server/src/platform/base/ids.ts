// Identifiers: UUID version 7, so that indexes grow at one end and ids sort by time of creation.

import { randomFillSync } from "node:crypto";
import { type Clock, systemClock } from "./clock.ts";

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}

const randomBytesEach = 10;

/**
 * Ids of one generator strictly increase. Within a millisecond a 12-bit sequence counts up from a random start in its
 * lower half. When it overflows, the next millisecond is used early, as RFC 9562 allows. A generator never goes back in
 * time, so a test that moves its clock creates its own.
 */
export function idGenerator(clock: Clock): () => string {
  const randomPool = Buffer.alloc(4096);
  let randomUsed = randomPool.length;
  let lastMs = 0;
  let sequence = 0;
  /** The common beginning of all ids of one millisecond. */
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
 * The id of a test event. It has version 8 instead of 7, so no column and no lookup is needed to recognise a test event.
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

const clockSkewMaxMs = 86_400_000;

/** Whether this service can have made an id: it has one of our two versions, and no time in the future. */
export function canBeOurs(id: string, nowMs: number): boolean {
  return /^[78]$/.test(id.charAt(14)) && idTimeMs(id) < nowMs + clockSkewMaxMs;
}

/** The millisecond at which an id of ours was made. */
export function idTimeMs(id: string): number {
  return Number.parseInt(id.slice(0, 8), 16) * 0x1_0000 + Number.parseInt(id.slice(9, 13), 16);
}
