// How much a test tries: a slice with every `npm test`, the whole campaign with `npm run prove`.

export const isProving = process.env.DISBURSE_PROVE === "1";

export function scale(slice: number, whole: number): number {
  return isProving ? whole : slice;
}
