// How well scores tell matching pairs from others: precision, recall, F1, its interval, and how a threshold carries over.

import { drawOf } from "../server/test/scenarios/seeded-draw.ts";

export type ScoredPair = { score: number; isMatch: boolean };

export type MatchFigures = {
  pairs: number;
  precision: number;
  recall: number;
  f1: number;
  /** 95 %, by drawing as many pairs from them again and again. */
  f1Low: number;
  f1High: number;
};

const drawings = 2_000;

export function matchFigures(
  pairs: readonly ScoredPair[],
  threshold: number,
  seed: number,
): MatchFigures {
  const draw = drawOf(seed);
  const drawn: number[] = [];
  for (let drawing = 0; drawing < drawings; drawing += 1) {
    drawn.push(
      f1Of(
        Array.from(pairs, () => draw.pick(pairs)),
        threshold,
      ).f1,
    );
  }
  drawn.sort((one, other) => one - other);
  return {
    pairs: pairs.length,
    ...f1Of(pairs, threshold),
    f1Low: drawn[Math.floor(0.025 * drawings)] as number,
    f1High: drawn[Math.floor(0.975 * drawings)] as number,
  };
}

export function f1Of(pairs: readonly ScoredPair[], threshold: number) {
  let right = 0;
  let wrong = 0;
  let missed = 0;
  for (const { score, isMatch } of pairs) {
    const isFound = score >= threshold;
    if (isFound && isMatch) right += 1;
    else if (isFound) wrong += 1;
    else if (isMatch) missed += 1;
  }
  return {
    precision: right / Math.max(1, right + wrong),
    recall: right / Math.max(1, right + missed),
    f1: (2 * right) / Math.max(1, 2 * right + wrong + missed),
  };
}

const splits = 200;

/** The threshold is chosen on a random half and tried on the other. The means of many such halves. */
export function carryOver(pairs: readonly ScoredPair[], seed: number) {
  const draw = drawOf(seed);
  let chosen = 0;
  let tried = 0;
  let threshold = 0;
  for (let split = 0; split < splits; split += 1) {
    const shuffled = pairs
      .map((pair) => ({ pair, at: draw.number() }))
      .sort((one, other) => one.at - other.at)
      .map(({ pair }) => pair);
    const half = shuffled.slice(0, shuffled.length >> 1);
    const best = bestThreshold(half);
    threshold += best;
    chosen += f1Of(half, best).f1;
    tried += f1Of(shuffled.slice(shuffled.length >> 1), best).f1;
  }
  return {
    splits,
    threshold: threshold / splits,
    chosenOn: chosen / splits,
    triedOn: tried / splits,
  };
}

export function bestThreshold(pairs: readonly ScoredPair[]): number {
  let best = { threshold: 0, f1: 0 };
  for (let hundredths = 50; hundredths <= 95; hundredths += 1) {
    const threshold = hundredths / 100;
    const { f1 } = f1Of(pairs, threshold);
    if (f1 > best.f1) best = { threshold, f1 };
  }
  return best.threshold;
}
