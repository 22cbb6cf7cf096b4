// Processor time of services per operation, round by round.

import type { Round } from "./load.ts";
import { processorTimeUs } from "./processor-time.ts";
import { median } from "./rounds.ts";

type Run = (durationMs: number) => Promise<Round>;

export function serviceTimes<Name extends string>() {
  const rounds = new Map<Name, number[]>();

  function record(name: Name, us: number): void {
    rounds.set(name, [...(rounds.get(name) ?? []), us]);
  }

  return {
    record,
    /** Records each round of a load on one server and its children. Nothing is recorded when not on Linux. */
    recording: (name: Name, pid: number, run: Run): Run => {
      return async (durationMs) => {
        const beforeUs = processorTimeUs(pid, { withChildren: true });
        const round = await run(durationMs);
        const afterUs = processorTimeUs(pid, { withChildren: true });
        if (beforeUs !== undefined && afterUs !== undefined)
          record(name, (afterUs - beforeUs) / round.answers);
        return round;
      };
    },
    /** Whole microseconds of each, medians. The first round of each was the warm-up. */
    medians: (): [Name, number][] =>
      [...rounds].map(([name, all]) => [name, Math.round(median(all.slice(1)) ?? 0)]),
  };
}
