// Rounds of several variants in turn, so that other load on the machine affects all of them.

import type { Round } from "./load.ts";
import { say } from "./progress.ts";
import type { Times } from "./service-times.ts";

export type Variant<Name extends string> = {
  name: Name;
  /** Each compiles for itself and receives its share of the requests, so several need a longer warm-up. Default: one. */
  processes?: number;
  run: (durationMs: number) => Promise<Partial<Round> & Times & { perSecond: number }>;
};

export type Figure = {
  variant: string;
  rounds: number;
  /** Medians over the rounds. */
  perSecond: number;
  perSecondLowest: number;
  perSecondHighest: number;
  /** Undefined if the variant does not measure it. */
  p50Ms: number | undefined;
  p99Ms: number | undefined;
} & Times;

type Rounds = { rounds: number; roundMs: number; warmUpMs: number };

type Result = Awaited<ReturnType<Variant<string>["run"]>>;

export async function interleave<Name extends string>(
  variants: readonly Variant<Name>[],
  rounds: Rounds,
): Promise<Record<Name, Figure>> {
  return figuresOf(await takeTurns(variants, rounds));
}

/** Every round of each variant, in order. */
export async function takeTurns<Name extends string>(
  variants: readonly Variant<Name>[],
  { rounds, roundMs, warmUpMs }: Rounds,
): Promise<Record<Name, Result[]>> {
  for (const { name, processes = 1, run } of variants) {
    say(`warming up: ${name}`);
    await run(warmUpMs * processes);
  }
  const results = variants.map(() => [] as Result[]);
  for (let round = 0; round < rounds; round++) {
    for (const index of orderOf(round, variants.length)) {
      const { name, run } = variants[index] as Variant<Name>;
      say(`round ${round + 1} of ${rounds}: ${name}`);
      results[index]?.push(await run(roundMs));
    }
  }
  return Object.fromEntries(variants.map(({ name }, index) => [name, results[index]])) as Record<
    Name,
    Result[]
  >;
}

/**
 * The order of a round, by numbers: a row of a balanced Latin square. A variant leaves work behind, such as rows to vacuum,
 * so over the rounds each follows every other about as often.
 */
function orderOf(round: number, count: number): number[] {
  // First, second, last, third, last but one, and so on; the next round starts with the next.
  const order = Array.from({ length: count }, (_, turn) => {
    const place = turn % 2 === 0 ? count - turn / 2 : (turn + 1) / 2;
    return (place + round) % count;
  });
  // An odd number of variants needs the orders of both directions.
  return count % 2 === 1 && round % 2 === 1 ? order.reverse() : order;
}

export function figuresOf<Name extends string>(
  results: Record<Name, Result[]>,
): Record<Name, Figure> {
  const figures = Object.entries<Result[]>(results).map(([name, all]) => {
    const of = (pick: (round: Result) => number | undefined) =>
      all.map(pick).filter((value) => value !== undefined);
    const perSecond = of((round) => round.perSecond);
    const figure: Figure = {
      variant: name,
      rounds: all.length,
      perSecond: median(perSecond) as number,
      perSecondLowest: Math.min(...perSecond),
      perSecondHighest: Math.max(...perSecond),
      p50Ms: median(of((round) => round.p50Ms)),
      p99Ms: median(of((round) => round.p99Ms)),
      serviceUs: median(of((round) => round.serviceUs)),
      postgresUs: median(of((round) => round.postgresUs)),
    };
    return [name, figure];
  });
  return Object.fromEntries(figures);
}

export function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle];
  const [low, high] = [sorted[middle - 1], sorted[middle]];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}
