// How much a test tries: a slice with the tests, the whole campaign with `npm run prove`.

export const isProving = process.env.DISBURSE_PROVE === "1";

/** Why a test is skipped that repeats, at length, what other tests try in parts. */
export const unlessProving = isProving ? undefined : "only with npm run prove";

/** A limit on elapsed time that only `npm run prove` judges: with the tests, other work may be using the machine. */
export function quietMs(limitMs: number): number {
  return isProving ? limitMs : Number.POSITIVE_INFINITY;
}

export function scale(slice: number, whole: number): number {
  return isProving ? whole : slice;
}
