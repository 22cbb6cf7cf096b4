// What a campaign that only watches found to complain of, as the failure that is told and kept.

import type { Failure } from "./campaign.ts";

export function failureOf(seed: number, complaints: string[]): { failure?: Failure } {
  if (complaints.length === 0) return {};
  return { failure: { seed, counterexample: complaints, error: complaints.join("\n") } };
}
