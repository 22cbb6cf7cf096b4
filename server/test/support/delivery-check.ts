// Compares received events with committed ones: none is missing, none is unknown, each payout's events arrive in
// order, and repeats have the same bytes.

import type { Received } from "./sink.ts";

/** A committed event. Events with the same `orderKey` must arrive in the order of `number`. */
export type Committed = { id: string; body: string; orderKey: string; number: number };

export type DeliveryCheck = {
  received: number;
  missing: string[];
  /** Received, but never committed. */
  unknown: string[];
  /** Received before an earlier event was accepted. */
  inversions: string[];
  /** Received with other bytes than were committed. */
  altered: string[];
  /** Received again after they were accepted. */
  repeats: number;
};

export function checkDeliveries(
  committed: readonly Committed[],
  received: readonly Received[],
  isRefused: (received: Received) => boolean = () => false,
): DeliveryCheck {
  const known = new Map<string, Committed & { before: Committed | undefined }>();
  const last = new Map<string, Committed>();
  for (const event of committed.toSorted((one, other) => one.number - other.number)) {
    known.set(event.id, { ...event, before: last.get(event.orderKey) });
    last.set(event.orderKey, event);
  }
  const accepted = new Set<string>();
  const checked: DeliveryCheck = {
    received: received.length,
    missing: [],
    unknown: [],
    inversions: [],
    altered: [],
    repeats: 0,
  };
  for (const one of received) {
    const id = one.id.replace(/^evt_/, "");
    const event = known.get(id);
    if (!event) {
      checked.unknown.push(id);
      continue;
    }
    if (event.before && !accepted.has(event.before.id)) checked.inversions.push(id);
    if (event.body !== one.body) checked.altered.push(id);
    if (accepted.has(id)) checked.repeats += 1;
    if (!isRefused(one)) accepted.add(id);
  }
  checked.missing = [...known.keys()].filter((id) => !accepted.has(id));
  return checked;
}

/** Every broken promise, in words; empty if there is none. */
export function complaints({ missing, unknown, inversions, altered }: DeliveryCheck): string[] {
  return Object.entries({ missing, unknown, inversions, altered })
    .filter(([, ids]) => ids.length > 0)
    .map(([what, ids]) => `${ids.length} ${what}: ${ids.slice(0, 5).join(", ")}`);
}

export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
