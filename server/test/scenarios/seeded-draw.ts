// Random choices that a seed repeats.

export type Draw = {
  number(): number;
  /** A whole number from 0 to `below` - 1. */
  below(limit: number): number;
  pick<T>(from: readonly T[]): T;
  /** A name by its weight. */
  weighted<Name extends string>(weights: Record<Name, number>): Name;
};

/** The same numbers for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function drawOf(seed: number): Draw {
  const number = randomOf(seed);
  const below = (limit: number) => Math.floor(number() * limit);
  return {
    number,
    below,
    pick: <T>(from: readonly T[]) => from[below(from.length)] as T,
    weighted<Name extends string>(weights: Record<Name, number>): Name {
      const entries = Object.entries<number>(weights);
      let left = number() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of entries) {
        left -= weight;
        if (left < 0) return name as Name;
      }
      return entries[0]?.[0] as Name;
    },
  };
}

/** Two neighbours that differ change places. */
export function swapNeighbours(text: string, draw: Draw): string {
  for (let tries = 0; tries < 100; tries += 1) {
    const at = draw.below(text.length - 1);
    const [one, other] = [text[at], text[at + 1]];
    if (one !== other) return text.slice(0, at) + other + one + text.slice(at + 2);
  }
  return `${text.slice(1)}0`;
}
