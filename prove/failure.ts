// Turns the complaints of a campaign into its failure.

import type { Failure } from "./campaign.ts";

export function failureOf(seed: number, complaints: string[]): { failure?: Failure } {
  if (complaints.length === 0) return {};
  return { failure: { seed, counterexample: complaints, error: complaints.join("\n") } };
}
