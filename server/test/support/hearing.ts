// What was heard, held against what was told: nothing missing, nothing that never happened, each payout's events in
// their order, and repeats that are the same in every byte.

import type { Heard } from "./sink.ts";

/** An event that was committed. Those with one `orderKey` are to be heard in the order of `number`. */
export type Committed = { id: string; body: string; orderKey: string; number: number };

export type Judged = {
  heard: number;
  missing: string[];
  /** Heard, and never committed. */
  unheardOf: string[];
  /** Heard while one before it had not been accepted. */
  inversions: string[];
  /** With other bytes than were committed. */
  altered: string[];
  /** Heard again after it had been accepted. */
  repeats: number;
};

export function judgeHearing(
  committed: readonly Committed[],
  heard: readonly Heard[],
  isRefused: (heard: Heard) => boolean = () => false,
): Judged {
  const told = new Map<string, Committed & { before: Committed | undefined }>();
  const last = new Map<string, Committed>();
  for (const event of committed.toSorted((one, other) => one.number - other.number)) {
    told.set(event.id, { ...event, before: last.get(event.orderKey) });
    last.set(event.orderKey, event);
  }
  const accepted = new Set<string>();
  const judged: Judged = {
    heard: heard.length,
    ...{ missing: [], unheardOf: [], inversions: [], altered: [], repeats: 0 },
  };
  for (const one of heard) {
    const id = one.id.replace(/^evt_/, "");
    const event = told.get(id);
    if (!event) {
      judged.unheardOf.push(id);
      continue;
    }
    if (event.before && !accepted.has(event.before.id)) judged.inversions.push(id);
    if (event.body !== one.body) judged.altered.push(id);
    if (accepted.has(id)) judged.repeats += 1;
    if (!isRefused(one)) accepted.add(id);
  }
  judged.missing = [...told.keys()].filter((id) => !accepted.has(id));
  return judged;
}

/** What speaks against it, in words; empty: nothing. */
export function complaints({ missing, unheardOf, inversions, altered }: Judged): string[] {
  return Object.entries({ missing, unheardOf, inversions, altered })
    .filter(([, ids]) => ids.length > 0)
    .map(([what, ids]) => `${ids.length} ${what}: ${ids.slice(0, 5).join(", ")}`);
}

export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
