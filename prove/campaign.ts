// A campaign: one promise, tested with many random inputs.

import type { Postgres } from "./database.ts";

export type Campaign = {
  /** In one sentence. */
  promise: string;
  runs: number;
  /** With --long. */
  longRuns?: number;
  /** What it needs and this machine lacks. Undefined: nothing. */
  missing?(): string | undefined;
  prove(parts: CampaignParts): Promise<Proved>;
};

export type CampaignParts = {
  postgres: Postgres;
  runs: number;
  seed: number;
  /** Called after each run with the number of runs so far. */
  onRun: (done: number) => void;
};

export type Proved = {
  runs: number;
  steps: number;
  /** The version of its PostgreSQL, where it uses another than the campaigns' own. */
  postgresql?: string;
  /** The counts of attempts and of outcomes, by table. */
  counts: Record<string, Record<string, number>>;
  /** Absent: the promise was kept. */
  failure?: Failure;
};

export type Failure = { seed: number; counterexample: unknown; error: string };
