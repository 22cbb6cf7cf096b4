// How much a test tries: a slice with every `npm test`, the whole campaign with `npm run prove`.

export function scale(slice: number, whole: number): number {
  return process.env.DISBURSE_PROVE === "1" ? whole : slice;
}
