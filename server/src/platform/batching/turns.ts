// Limits concurrency by name: a few jobs run at once, a few wait, more are refused.

import { Refusal } from "../refusals/index.ts";

/** Ends the turn. Calling it again does nothing. */
export type EndTurn = () => void;

export type Turns = {
  /** Resolves when the job may start. Rejects when too much waits already. */
  take(name: string, weight?: number): Promise<EndTurn>;
};

type Line = {
  running: number;
  waiting: { begin: (end: EndTurn) => void; weight: number }[];
  /** The sum of their weights. */
  weight: number;
};

/** `waitingMax`: the total weight that may wait. The first waiting job may have any weight. */
export function turns({ atOnce, waitingMax }: { atOnce: number; waitingMax: number }): Turns {
  const lines = new Map<string, Line>();

  function begin(name: string, line: Line): EndTurn {
    line.running += 1;
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      line.running -= 1;
      const next = line.waiting.shift();
      if (next) {
        line.weight -= next.weight;
        next.begin(begin(name, line));
      } else if (line.running === 0) lines.delete(name);
    };
  }

  return {
    async take(name, weight = 1) {
      const line = lines.get(name) ?? { running: 0, waiting: [], weight: 0 };
      lines.set(name, line);
      if (line.running < atOnce) return begin(name, line);
      if (line.waiting.length > 0 && line.weight + weight > waitingMax) throw tooManyWrites();
      line.weight += weight;
      return new Promise((resolve) => line.waiting.push({ begin: resolve, weight }));
    },
  };
}

export function tooManyWrites(): Refusal {
  return new Refusal("RATE102", { headers: { "retry-after": "1" } });
}
