// What a campaign is: something promised, tried in many ways that chance makes up.

import type { Postgres } from "./database.ts";

export type Campaign = {
  /** In one sentence. */
  promise: string;
  runs: number;
  prove(parts: CampaignParts): Promise<Proved>;
};

export type CampaignParts = {
  postgres: Postgres;
  runs: number;
  seed: number;
  /** Called after each run with how many there were. */
  onRun: (done: number) => void;
};

export type Proved = {
  runs: number;
  steps: number;
  /** How often what was tried, and how often it came to what. */
  counts: Record<string, Record<string, number>>;
  /** Absent: the promise was kept. */
  failure?: Failure;
};

export type Failure = { seed: number; counterexample: unknown; error: string };
